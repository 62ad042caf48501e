/** Everything the demo says, in its two languages. Texts only; reply.ts decides which. */
export interface Phrases {
  readonly introduction: string;
  readonly hello: string;
  readonly help: string;
  readonly thanks: string;
  readonly remind: string;
  readonly unknown: string;
  /** Behind an answer to what is in another language. */
  readonly languages: string;
  /** Behind it, where what an owner tells is kept. */
  readonly kept: string;
  readonly heartbeat: string;
  readonly nothingSaid: string;
  readonly offer: (list: string) => string;
  readonly noTool: (what: string) => string;
  readonly remembered: (path: string) => string;
  readonly failed: (why: string) => string;
  readonly found: (list: string) => string;
  /** In conversations, not in notes. */
  readonly said: (list: string) => string;
  /** Found, but not by these words. */
  readonly nearest: (list: string) => string;
  readonly notFound: (places: string) => string;
  readonly nowhere: string;
  readonly noNotes: (places: string) => string;
  readonly askNext: (topic: string) => string;
  readonly file: (path: string, text: string) => string;
  readonly files: (list: string) => string;
  readonly written: (path: string) => string;
  readonly overwritten: (path: string) => string;
  readonly sent: string;
  readonly abilities: Readonly<Record<Ability, string>>;
}

/** Tool → the example that shows it. */
export const abilities = [
  "memory_write",
  "memory_search",
  "write",
  "grep",
  "read",
  "ls",
  "edit",
  "session_status",
  "stay_silent",
] as const;
export type Ability = (typeof abilities)[number];

export const english: Phrases = {
  introduction:
    "I am Pagurus's built-in **demo**: fixed rules, no language model. For a real one, set `ANTHROPIC_API_KEY` or `OPENAI_API_KEY` in `.dev.vars` (deployed: `wrangler secret put …`) and restart. My tools and your files are real, though.",
  hello: "Hello!",
  help: "I keep notes in your files and look things up in them; being a demo, by a few fixed rules.",
  thanks: "You are welcome.",
  remind: "I cannot set reminders: there is no such tool here yet.",
  unknown: "I have no answer to that: I am a demo with a few fixed rules, for English and Chinese.",
  languages:
    "I am a demo that speaks English and Chinese only; I have looked for your words as they stand.",
  kept: "Plain sentences about yourself, such as `I live in Bergen`, and what you ask to have remembered go into your notes all the same: `show my notes` has what did, `/memory` says whether that is on. All else stands in our conversations only, where I can look for its words.",
  heartbeat: "HEARTBEAT_OK",
  nothingSaid: "There is nothing here that I could read.",
  offer: (list) => `Try one of these:\n${list}`,
  noTool: (what) =>
    `I cannot do that here: the tool \`${what}\` is not available in this conversation.`,
  remembered: (path) => `Noted in \`${path}\`.`,
  failed: (why) => `That did not work: ${why}`,
  found: (list) => `This is what my notes say:\n${list}`,
  said: (list) => `My notes do not say, but you told me in a conversation:\n${list}`,
  nearest: (list) => `No note of mine has just those words; this is the nearest:\n${list}`,
  notFound: (places) =>
    `My notes say nothing about that (${places}), and a demo knows nothing else.`,
  nowhere: "No file here says anything about that.",
  noNotes: (places) => `There are no notes yet (${places}).`,
  askNext: (topic) => `Now ask me: \`what do you know about ${topic}?\``,
  file: (path, text) => `\`${path}\`:\n\n${text}`,
  files: (list) => `The workspace holds:\n${list}`,
  written: (path) => `Done: \`${path}\`.`,
  overwritten: (path) =>
    `\`${path}\` now holds that and nothing else. To add a line instead: \`append to ${path}: …\`.`,
  sent: "Sent.",
  abilities: {
    memory_write: "`remember my sister likes tulips`",
    memory_search: "`what do you know about my sister`",
    write: "`write ideas.md: a kite`",
    grep: "`show my notes`",
    read: "`read MEMORY.md`",
    ls: "`list files`",
    edit: "`replace kite with boat in ideas.md`",
    session_status: "`status`",
    stay_silent: "`say nothing`",
  },
};

export const chinese: Phrases = {
  introduction:
    "我是 Pagurus 内置的**演示程序**：只有固定规则，没有语言模型（demo）。要使用真正的模型，请在 `.dev.vars` 中设置 `ANTHROPIC_API_KEY` 或 `OPENAI_API_KEY`（部署后用 `wrangler secret put …`），然后重启。不过我的工具和你的文件都是真的。",
  hello: "你好！",
  help: "我把笔记写进你的文件，也能从中查找；演示程序只按固定规则运行。",
  thanks: "不客气。",
  remind: "我还不能设置提醒：这里没有这样的工具。",
  unknown: "这句话我答不上来：我只是一个按固定规则运行的演示程序，只懂英文和中文。",
  languages: "我是只懂英文和中文的演示程序，只能按原词查找。",
  kept: "不过，直接说自己的句子（如 `我住在卑尔根`）和要我记住的事仍会记入笔记：`显示我的笔记` 可以看到，`/memory` 会说明是否开启。其余的话只留在对话里，我可以按词查找。",
  heartbeat: "HEARTBEAT_OK",
  nothingSaid: "这里没有我能读懂的内容。",
  offer: (list) => `可以试试：\n${list}`,
  noTool: (what) => `这里做不到：本会话中没有工具 \`${what}\`。`,
  remembered: (path) => `已记入 \`${path}\`。`,
  failed: (why) => `没有成功：${why}`,
  found: (list) => `我的笔记里有：\n${list}`,
  said: (list) => `我的笔记里没有，不过你在对话中说过：\n${list}`,
  nearest: (list) => `我的笔记里没有这些原话；最接近的是：\n${list}`,
  notFound: (places) => `我的笔记（${places}）里没有相关内容，演示程序也不知道别的。`,
  nowhere: "这里的文件都没有提到它。",
  noNotes: (places) => `还没有笔记（${places}）。`,
  askNext: (topic) => `现在可以问我：\`关于${topic}，你知道什么？\``,
  file: (path, text) => `\`${path}\`：\n\n${text}`,
  files: (list) => `工作区里有：\n${list}`,
  written: (path) => `完成：\`${path}\`。`,
  overwritten: (path) => `\`${path}\` 现在只有这些内容。若只想添加一行：\`append to ${path}: …\`。`,
  sent: "已发送。",
  abilities: {
    memory_write: "`记住 妹妹喜欢郁金香`",
    memory_search: "`你知道妹妹的什么`",
    write: "`写 ideas.md：风筝`",
    grep: "`显示我的笔记`",
    read: "`读取 MEMORY.md`",
    ls: "`列出文件`",
    edit: "`replace 风筝 with 小船 in ideas.md`",
    session_status: "`状态`",
    stay_silent: "`别说话`",
  },
};
