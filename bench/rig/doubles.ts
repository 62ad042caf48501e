import { Worker } from "node:worker_threads";
import type { DoublesOrder, DoublesReport, DoublesSetup } from "./doubles-protocol.ts";

/**
 * The bench's side of the doubles: where they listen, what they saw, and who waits for it. A message to
 * a topic is handed to whoever waits for it; what nobody waits for is only counted.
 */
export class Doubles {
  /** Messages sent so far. */
  sent = 0;
  /** Milliseconds the model double took for its last answer. */
  lastModelMs = 0;
  /** Texts of the model requests, if they were asked for. */
  readonly requests: string[] = [];
  telegramUrl = "";
  modelUrl = "";
  readonly #thread: Worker;
  readonly #waiting = new Map<number, (at: number) => void>();
  #ready = () => {};

  private constructor(setup: DoublesSetup) {
    const file = new URL("./doubles-thread.ts", import.meta.url);
    this.#thread = new Worker(file, { workerData: setup });
    this.#thread.on("message", (report: DoublesReport) => this.#take(report));
    this.#thread.on("error", (error) => {
      throw error;
    });
  }

  static async start(setup: DoublesSetup): Promise<Doubles> {
    const doubles = new Doubles(setup);
    await new Promise<void>((resolve) => {
      doubles.#ready = resolve;
    });
    return doubles;
  }

  /** What the model answers from the next call on. */
  play(order: DoublesOrder): void {
    this.#thread.postMessage(order);
  }

  /** Resolves with the time at which the next message to the topic arrived. */
  nextSend(topic: number): Promise<number> {
    return new Promise((resolve) => this.#waiting.set(topic, resolve));
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }

  #take(report: DoublesReport): void {
    switch (report.type) {
      case "ready":
        this.telegramUrl = report.telegramUrl;
        this.modelUrl = report.modelUrl;
        this.#ready();
        return;
      case "model":
        this.lastModelMs = report.ms;
        return;
      case "request":
        this.requests.push(report.text);
        return;
      case "sent": {
        this.sent += 1;
        const waiter = this.#waiting.get(report.topic);
        this.#waiting.delete(report.topic);
        waiter?.(report.at);
      }
    }
  }
}
