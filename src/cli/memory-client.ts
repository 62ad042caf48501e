import { wrongToken, type Target } from "./target.ts";

/** The routes of one agent's memory. Rejects with Refused, or as fetch does when nobody answers. */
export type MemoryClient = (path: string, method?: "GET" | "POST") => Promise<Response>;

/** What the server would not do, as a sentence for whoever asked. */
export class Refused extends Error {}

export function createMemoryClient(target: Target, agent: string): MemoryClient {
  return async (path, method = "GET") => {
    const url = `${target.url}/agents/${encodeURIComponent(agent)}/memory/${path}`;
    const headers = { authorization: `Bearer ${target.token}` };
    const response = await fetch(url, { method, headers });
    if (response.ok) return response;
    if (response.status === 401) throw new Refused(`${wrongToken(target)} Or it has none.`);
    if (response.status === 404) throw new Refused(`There is no agent "${agent}" there.`);
    throw new Refused(`${target.url} answered ${response.status}: ${await response.text()}`);
  };
}
