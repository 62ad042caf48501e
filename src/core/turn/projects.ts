import type { Workspace } from "#contract/workspace.ts";
import { assertRunner, StaleRunner } from "#core/state/fence.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { projectOfPath, useProject } from "#kit/project-key.ts";
import { isOwnTurn } from "./own-turn.ts";
import type { Run } from "./run.ts";

/**
 * The workspace as the tools of a turn see it: using what is there below `projects/<key>/` makes it
 * active. Which projects are active decides what comes to mind by itself, so only a turn of an owner's own
 * with nothing from outside in the window has a say in it, and only by calls that found or changed something.
 */
export function noticingProjects(workspace: Workspace, run: Run, tainted: boolean): Workspace {
  if (tainted || !isOwnTurn(run.turn)) return workspace;
  return {
    async read(path) {
      const file = await workspace.read(path);
      if (file) noticeProject(run, path);
      return file;
    },
    async list(folder) {
      const entries = await workspace.list(folder);
      if (entries.length > 0) noticeProject(run, `${folder}/`);
      return entries;
    },
    async grep(query) {
      const result = await workspace.grep(query);
      if (result.ok && result.matches.length > 0) noticeProject(run, `${query.folder}/`);
      return result;
    },
    async apply(operation) {
      const result = await workspace.apply(operation);
      if (result.ok) noticeProject(run, operation.path);
      return result;
    },
  };
}

function noticeProject({ ports, runner }: Run, path: string): void {
  const key = projectOfPath(path);
  if (key === null) return;
  const { settings } = ports.store;
  const active = getSetting(settings, "projects") ?? [];
  if (active[0] === key) return;
  try {
    assertRunner(ports, runner);
  } catch (error) {
    // Whoever has taken over makes the call again.
    if (error instanceof StaleRunner) return;
    throw error;
  }
  setSetting(settings, "projects", useProject(active, key));
}
