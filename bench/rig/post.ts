import { Agent, request } from "node:http";

/** HTTP by hand over kept connections: the load generator must cost less than what it measures. */
export class Poster {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });

  /** POSTs JSON and resolves with the status once the answer has been read. */
  post(url: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<number> {
    const bytes = Buffer.from(JSON.stringify(body));
    const all = {
      ...headers,
      "content-type": "application/json",
      "content-length": String(bytes.length),
    };
    return new Promise((resolve, reject) => {
      const call = request(
        url,
        { method: "POST", agent: this.#agent, headers: all },
        (response) => {
          response.on("error", reject);
          response.on("end", () => resolve(response.statusCode ?? 0));
          response.resume();
        },
      );
      call.on("error", reject);
      call.end(bytes);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
