import { DoubleServer, type RecordedRequest, type Reply } from "./double-server.ts";

/**
 * The operator's own HTTP tools: one path each, answered by what a test says. A path nobody described
 * answers "{}".
 *
 *   service.on("bell", () => ({ body: "rung" }));
 *   service.uses("bell")     // arguments of the calls so far
 */
export type ToolAnswer = (
  input: unknown,
  n: number,
  request: RecordedRequest,
) => Reply | Promise<Reply>;

export class ToolService extends DoubleServer {
  readonly #answers = new Map<string, ToolAnswer>();

  constructor() {
    super("tools");
  }

  on(name: string, answer: ToolAnswer): void {
    this.#answers.set(name, answer);
  }

  uses(name: string): unknown[] {
    return this.requests.filter(({ path }) => path === `/${name}`).map(({ json }) => json);
  }

  protected override handle(request: RecordedRequest): Reply | Promise<Reply> {
    const name = request.path.slice(1);
    const answer = this.#answers.get(name);
    return answer ? answer(request.json, this.uses(name).length, request) : { body: "{}" };
  }
}
