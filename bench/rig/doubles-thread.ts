import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { workerData, parentPort } from "node:worker_threads";
import { OpenAiServer } from "#test/doubles/openai-server.ts";
import { TelegramServer } from "#test/doubles/telegram-server.ts";
import type { DoublesOrder, DoublesReport, DoublesSetup } from "./doubles-protocol.ts";

/**
 * The platforms' doubles in a thread of their own, so that they do not share an event loop with the
 * load generator. Reports every model call with the time the double itself took (from the arrival of
 * its headers to its last byte), and every message that was sent to a topic.
 */
const setup = workerData as DoublesSetup;
const model = new OpenAiServer();
const telegram = new TelegramServer({
  token: setup.token,
  chats: [{ id: setup.owner, type: "private", first_name: "Sam", threads: setup.topics }],
});

function tell(report: DoublesReport): void {
  parentPort?.postMessage(report);
}

/** The same clock in every thread: milliseconds since the epoch, with fractions. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const arrivals = new WeakMap<IncomingMessage, number>();
let modelPort = 0;

subscribe("http.server.request.start", (message) => {
  arrivals.set((message as Exchange).request, now());
});

subscribe("http.server.response.finish", (message) => {
  const { request } = message as Exchange;
  if (request.socket.localPort !== modelPort) return;
  const at = now();
  tell({ type: "model", at, ms: at - (arrivals.get(request) ?? at) });
});

telegram.gate = ({ phase, request }) => {
  if (phase !== "received" || !request.path.endsWith("/sendMessage")) return;
  const body = request.json as { message_thread_id?: number } | undefined;
  tell({ type: "sent", at: now(), topic: Number(body?.message_thread_id) });
};

model.gate = ({ phase, request }) => {
  if (phase === "received" && setup.showRequests) tell({ type: "request", text: request.text });
  // Nothing here is looked at later, and long runs would pile up gigabytes.
  if (phase === "replied") model.clear();
};

parentPort?.on("message", (order: DoublesOrder) => {
  model.script = async () => {
    if (order.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, order.delayMs));
    return { text: order.answer };
  };
});

const [telegramUrl] = await Promise.all([telegram.start(), model.start()]);
modelPort = Number(new URL(model.url).port);
tell({ type: "ready", telegramUrl, modelUrl: model.baseUrl });
