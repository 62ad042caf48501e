import type { MemoryAgent } from "./agent.ts";

/** Work of a memory that may be cut off anywhere: how it begins, how its end is seen, what must hold then. */
export interface MemoryPlay {
  readonly name: string;
  /** What the agent knows before; nothing is cut off here. */
  prepare(agent: MemoryAgent): Promise<void>;
  /** Begins it. What the owner hears may be lost with the process. */
  begin(agent: MemoryAgent): Promise<unknown>;
  /** Seen without asking the agent, by which an object that sleeps would be woken. */
  isOver(agent: MemoryAgent): boolean;
  /** Is it this work that is cut off there, whatever else goes on? */
  isPlace(place: string): boolean;
  /** Places that are always tried. */
  readonly essential: readonly RegExp[];
  /** What the owner is told of it afterwards, without what differs from agent to agent. */
  told(agent: MemoryAgent): Promise<string>;
  /** What is wrong in the end, in words; asked after `told`. */
  problems(agent: MemoryAgent): Promise<string[]>;
  /** What no object may keep in the end. */
  gone?(agent: MemoryAgent): string;
}

const boatOf = ({ boat }: MemoryAgent) => `my boat is called ${boat}`;
const dogOf = ({ dog }: MemoryAgent) => `my dog is called ${dog}`;
const storage = /^(before|after) (put|delete) /;
const times = (text: string, part: string) => text.split(part).length - 1;

/** Text in which one agent says the same as another one in its place. */
function sameForAll(agent: MemoryAgent, text: string): string {
  return (
    text
      .replaceAll(agent.boat, "BOAT")
      .replaceAll(agent.dog, "DOG")
      .replaceAll(agent.id, "AGENT")
      .replaceAll(/#[0-9a-f]{8,}/g, "#HASH")
      .replaceAll(/\d\d:\d\d/g, "TIME")
      // A model may fail, on a machine that is busy.
      .replaceAll(/^By rule, without the model.*\n\n/gm, "")
      .split("\n")
      .toSorted()
      .join("\n")
  );
}

/** What an agent leaves behind: the files of its workspace, and what it tells. */
export async function outcomeOf(
  play: MemoryPlay,
  agent: MemoryAgent,
): Promise<ReadonlyMap<string, string>> {
  const { files } = await agent.stand();
  const own = [...files].filter(([path]) => path.startsWith("workspace/"));
  const outcome = [...own, ["what is told", await play.told(agent)] as const];
  return new Map(outcome.map(([name, text]) => [name, sameForAll(agent, text)]));
}

/** The index is what is made of the files anew, and there is one beside the database. */
async function indexProblems(agent: MemoryAgent): Promise<string[]> {
  // What nobody of ours wrote (a new workspace's files) is noticed when somebody searches.
  await agent.search(agent.boat);
  const { index: before } = await agent.stand();
  const { index: after } = await agent.rebuild();
  return [
    ...(before === after ? [] : [`the index is another one:\n${before}\n${after}`]),
    ...(agent.vectors().length > 0 ? [] : ["there are no vectors"]),
  ];
}

const night: MemoryPlay = {
  name: "a night",
  async prepare(agent) {
    await agent.learn(boatOf(agent));
    await agent.learn(dogOf(agent));
  },
  begin: (agent) => agent.say("/dreaming run", "desk"),
  isOver: ({ track }) =>
    track.isAtRest && track.count("after put .pagurus/evidence/dreams.json") > 0,
  // Nobody waits long for what conversations hand over: it could not stand still there.
  isPlace: (place) =>
    place.startsWith("alarm night") || (storage.test(place) && !place.includes("transcript")),
  essential: [/^alarm night /, /put workspace\/MEMORY\.md#/, /put workspace\/DREAMS\.md#/],
  told: (agent) => agent.say("/dreaming", "desk"),
  async problems(agent) {
    const text = (await agent.stand()).files.get("workspace/MEMORY.md") ?? "";
    const promoted = [boatOf(agent), dogOf(agent)].filter((fact) => times(text, fact) !== 1);
    const next = await agent.dream();
    return [
      ...promoted.map((fact) => `"${fact}" is not once in MEMORY.md`),
      ...(/Not dreamt/.test(next) ? [] : [`it was dreamt again: ${next}`]),
      ...(await indexProblems(agent)),
    ];
  },
};

const indexing: MemoryPlay = {
  name: "indexing",
  prepare: (agent) => agent.learn(boatOf(agent)),
  begin: (agent) => agent.say(`Please remember that ${dogOf(agent)}.`),
  isOver: ({ track }) => track.isAtRest && track.count("after put workspace/memory/DAY.md") > 1,
  isPlace: (place) => / batch memory_| upsert| deleteByIds|^alarm index|put workspace/.test(place),
  essential: [/./],
  told: (agent) => agent.search(`boat ${agent.boat}`),
  async problems(agent) {
    const found = await agent.search(`dog ${agent.dog}`);
    return [
      ...(found.includes(dogOf(agent)) ? [] : [`it is not found: ${found}`]),
      ...(await indexProblems(agent)),
    ];
  },
};

/** In running text a sentence is forgotten; the words of the question that asks for it are none. */
const forgetting: MemoryPlay = {
  name: "forgetting",
  async prepare(agent) {
    await agent.learn(dogOf(agent));
    await agent.learn(boatOf(agent));
    await agent.dream();
    await agent.say("/new");
    await agent.say("hello");
    await agent.rests();
  },
  async begin(agent) {
    const offer = await agent.sayUntilWhole(`/memory forget dog ${agent.dog}`);
    agent.offer = /confirm ([0-9a-f]{6})/.exec(offer)?.[1] ?? "";
    await agent.say(`/memory forget confirm ${agent.offer}`, "desk");
  },
  isOver: ({ track }) => track.isAtRest && track.count("alarm forget words") > 0,
  isPlace: (place) => storage.test(place) || /batch memory_|forgetSaid|^alarm forget/.test(place),
  essential: [
    /^alarm forget (own|files|said|archives|files again|left|index|words)#1$/,
    /^after forgetSaid#1$/,
    /^after put transcript#1$/,
    /^before put versions of DREAMS\.md#1$/,
  ],
  gone: dogOf,
  told: (agent) => agent.say(`/memory forget confirm ${agent.offer}`, "desk"),
  async problems(agent) {
    const { files, index } = await agent.stand();
    const lines = [...files].flat().flatMap((text) => text.split("\n"));
    const left = lines.filter((line) => line.includes(agent.dog));
    const found = await agent.search(`dog ${agent.dog}`);
    const kept = await agent.search(`boat ${agent.boat}`);
    return [
      ...left.map((line) => `in the bucket: ${line}`),
      ...(index.includes(agent.dog) ? ["it is in the index"] : []),
      ...(found.includes(dogOf(agent)) ? [`it is found: ${found}`] : []),
      ...(kept.includes(boatOf(agent)) ? [] : ["what else was said is not found"]),
      ...(await indexProblems(agent)),
    ];
  },
};

export const plays: readonly MemoryPlay[] = [night, indexing, forgetting];
