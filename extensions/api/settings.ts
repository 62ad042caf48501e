import { z } from "zod";

/** The API is on as soon as there is a gateway token. */
export const apiSettings = z.strictObject({ gatewayToken: z.string().min(1) });
export type ApiSettings = z.infer<typeof apiSettings>;
