import product, { AgentDO as ProductAgent, SessionDO as ProductSession } from "product";

/**
 * The Worker as it is, with its storage held: before and after each write to R2 and D1, around each run
 * of an agent's alarm and around a conversation's forgetting it tells a test where it is, and stands still
 * until that answers. A test that never answers has a place to kill the process at. "product" is the
 * bundle's own entry. Vectorize, of which there is none here, is played by the same server.
 */
export default {
  ...product,
  async fetch(request, env, context) {
    if (new URL(request.url).pathname !== "/held") return product.fetch(request, env, context);
    return Response.json(await standOf(env, await request.json()));
  },
};

/** All that lies in the bucket of one agent and, for each query with its id, what the database says. */
async function standOf(env, { agent, queries }) {
  const prefix = `agents/${agent}/`;
  const { objects } = await env.FILES.list({ prefix });
  const texts = objects.map(async ({ key }) => [
    key.slice(prefix.length),
    (await (await env.FILES.get(key))?.text()) ?? "",
  ]);
  const rows = await env.DB.batch(queries.map((query) => env.DB.prepare(query).bind(agent)));
  return { files: await Promise.all(texts), rows: rows.map(({ results }) => results) };
}

async function ask(env, path, body) {
  const response = await fetch(`${env.PLACES_URL}/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  return response.json();
}

/** Calls of `methods` tell their name before and after; everything else is the target's own. */
function held(target, methods, tell) {
  return new Proxy(target, {
    get(_target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const nameOf = methods[name];
      if (!nameOf) return value.bind(target);
      return async (...args) => {
        const what = nameOf(...args);
        await tell([`before ${what}`]);
        const result = await value.apply(target, args);
        await tell([`after ${what}`]);
        return result;
      };
    },
  });
}

function heldStorage(env, agent) {
  const tell = (names) => ask(env, `${agent}/place`, names);
  const own = (key) => key.replace(`agents/${agent}/`, "");
  const keysOf = (keys) => [keys].flat().map(own).join(" ");
  const tableOf = ({ statement = "" }) => /(?:INTO|FROM|UPDATE) (\w+)/.exec(statement)?.[1] ?? "";
  const vectorize = (method) => (argument) => ask(env, `${agent}/vectorize/${method}`, argument);
  return {
    ...env,
    FILES: held(
      env.FILES,
      { put: (key) => `put ${own(key)}`, delete: (keys) => `delete ${keysOf(keys)}` },
      tell,
    ),
    DB: held(env.DB, { batch: ([first]) => `batch ${tableOf(first)}` }, tell),
    VECTORIZE: {
      describe: vectorize("describe"),
      query: (vector, options) => ask(env, `${agent}/vectorize/query`, [vector, options]),
      upsert: vectorize("upsert"),
      deleteByIds: vectorize("deleteByIds"),
    },
  };
}

export class AgentDO extends ProductAgent {
  #url;

  constructor(state, env) {
    super(state, heldStorage(env, state.id.name));
    this.#url = env.PLACES_URL;
  }

  async alarm() {
    const { due } = this.#standing();
    await this.#tell(
      "place",
      due.map((name) => `alarm ${name}`),
    );
    await super.alarm();
    await this.#tell("rest", this.#standing());
  }

  #tell(kind, body) {
    return ask({ PLACES_URL: this.#url }, `${this.ctx.id.name}/${kind}`, body);
  }

  /** What is due, with the step it is at; and what is under way or waits. */
  #standing() {
    const { sql } = this.ctx.storage;
    const read = (query, name) => JSON.parse(sql.exec(query, name).toArray()[0]?.value ?? "null");
    const document = (name) => read("SELECT value FROM document WHERE name = ?", name);
    const night = document("dream.night")?.state.step ?? null;
    const forget = document("forget.jobs")?.[0]?.step ?? null;
    const dirty = read("SELECT value FROM setting WHERE name = ?", "memory.dirty") ?? [];
    const steps = { dream: `night ${night}`, forget: `forget ${forget}` };
    const due = sql.exec("SELECT name FROM due WHERE at <= ? ORDER BY at", Date.now()).toArray();
    return { night, forget, dirty, due: due.map(({ name }) => steps[name] ?? name) };
  }
}

export class SessionDO extends ProductSession {
  async forgetSaid(request) {
    const tell = (name) => ask(this.env, `${this.ctx.id.name.split(":")[1]}/place`, [name]);
    await tell("before forgetSaid");
    const done = await super.forgetSaid(request);
    await tell("after forgetSaid");
    return done;
  }
}
