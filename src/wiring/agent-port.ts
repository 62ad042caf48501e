import type { AgentPort } from "#contract/agent-port.ts";
import type { AgentRpc } from "#contract/agent-rpc.ts";

/** An AgentDO's stub as a session sees it. Rejects where the call fails: the caller decides. */
export function createAgentPort(stub: AgentRpc): AgentPort {
  return {
    markBusy: (entry) => stub.markBusy(entry),
    beginStep: (request) => stub.beginStep(request),
    bootstrap: () => stub.bootstrap(),
    endTurn: (request) => stub.endTurn(request),
    findSession: (keyOrAddress) => stub.findSession(keyOrAddress),
    workspace: {
      read: (path) => stub.readFile(path),
      list: (folder) => stub.listFolder(folder),
      grep: (query) => stub.grepFiles(query),
      apply: (operation) => stub.applyOperation(operation),
    },
  };
}
