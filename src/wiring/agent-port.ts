import type { AgentPort } from "#contract/agent-port.ts";
import type { AgentRpc } from "#contract/agent-rpc.ts";
import { inTime } from "./in-time.ts";

/**
 * An AgentDO's stub as a session sees it. Rejects where the call fails or is not answered in time: the
 * caller decides. Without the limits an agent that hangs (its R2, a deploy gone wrong) would hang each
 * of its conversations too. Every call may be repeated, so one that did arrive does no harm.
 */
const MARK_MS = 2_000;
const CALL_MS = 5_000;
/** These read or write many files. */
const LONG_MS = 30_000;

export function createAgentPort(stub: AgentRpc): AgentPort {
  const bounded = <T>(work: Promise<T>, name: string, ms = CALL_MS) =>
    inTime(work, ms, `the agent (${name})`);
  return {
    // A message is stored only after this one: the platform waits.
    markBusy: (entry) => bounded(stub.markBusy(entry), "markBusy", MARK_MS),
    beginStep: (request) => bounded(stub.beginStep(request), "beginStep"),
    bootstrap: () => bounded(stub.bootstrap(), "bootstrap"),
    endTurn: (request) => bounded(stub.endTurn(request), "endTurn"),
    findSession: (keyOrAddress) => bounded(stub.findSession(keyOrAddress), "findSession"),
    listSessions: (limit) => bounded(stub.listSessions(limit), "listSessions"),
    pinSession: (key, isPinned) => bounded(stub.pinSession(key, isPinned), "pinSession"),
    forgetSession: (sessionKey) => bounded(stub.forgetSession(sessionKey), "forgetSession"),
    workspace: {
      read: (path) => bounded(stub.readFile(path), "read"),
      list: (folder) => bounded(stub.listFolder(folder), "list"),
      grep: (query) => bounded(stub.grepFiles(query), "grep", LONG_MS),
      apply: (operation) => bounded(stub.applyOperation(operation), "apply", LONG_MS),
    },
    memory: {
      search: (query) => bounded(stub.searchMemory(query), "memory search"),
      read: (place) => bounded(stub.readMemory(place), "memory read"),
      note: (request) => bounded(stub.addNote(request), "note", LONG_MS),
      ingest: (batch) => bounded(stub.ingestTranscript(batch), "ingest", LONG_MS),
      status: () => bounded(stub.memoryStatus(), "memory status"),
    },
    dreaming: {
      start: (mode, key) => bounded(stub.startDream(mode, key), "dream start"),
      status: () => bounded(stub.dreamStatus(), "dream status"),
      switch: (on) => bounded(stub.switchDreams(on), "dream switch"),
      explain: (text) => bounded(stub.explainDream(text), "dream explain", LONG_MS),
      undo: (runId, force, key) =>
        bounded(stub.undoDream(runId, force, key), "dream undo", LONG_MS),
    },
    upkeep: {
      why: (text, identity) => bounded(stub.traceMemory(text, identity), "memory why", LONG_MS),
      offer: (request) => bounded(stub.offerForgetting(request), "forget offer", LONG_MS),
      forget: (request) => bounded(stub.forgetOffered(request), "forget", LONG_MS),
      forgetting: () => bounded(stub.listForgetting(), "forget status"),
      waiting: () => bounded(stub.waitingLines(), "waiting lines", LONG_MS),
      adopt: (path) => bounded(stub.adoptLines(path), "adopt", LONG_MS),
      versions: (path) => bounded(stub.listVersions(path), "versions"),
      version: (path, id) => bounded(stub.readVersion(path, id), "version"),
      restore: (request) => bounded(stub.restoreVersion(request), "restore", LONG_MS),
      rebuild: () => bounded(stub.startRebuild(), "rebuild", LONG_MS),
    },
    intents: {
      create: (intent, key) => bounded(stub.createIntent(intent, key), "intent create"),
      list: () => bounded(stub.listIntents(), "intent list"),
      close: (id, status) => bounded(stub.closeIntent(id, status), "intent close"),
      // Waited for before an answer: rather not mentioned than late.
      fire: (ids, turnId) => bounded(stub.fireIntents(ids, turnId), "intent fire", MARK_MS),
    },
  };
}
