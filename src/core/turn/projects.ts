import type { SettingsStore } from "#contract/session-store.ts";
import type { Workspace } from "#contract/workspace.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { projectOfPath, useProject } from "#kit/project-key.ts";

/** The workspace as the tools of a turn see it: using a path below `projects/<key>/` makes it active. */
export function noticingProjects(workspace: Workspace, settings: SettingsStore): Workspace {
  function used(path: string): void {
    const key = projectOfPath(path);
    if (key === null) return;
    const active = getSetting(settings, "projects") ?? [];
    if (active[0] !== key) setSetting(settings, "projects", useProject(active, key));
  }
  return {
    read(path) {
      used(path);
      return workspace.read(path);
    },
    list(folder) {
      used(`${folder}/`);
      return workspace.list(folder);
    },
    grep(query) {
      used(`${query.folder}/`);
      return workspace.grep(query);
    },
    apply(operation) {
      used(operation.path);
      return workspace.apply(operation);
    },
  };
}
