import { isGerman } from "./german.ts";
import { please, recall, rule, type Rule } from "./rule.ts";

/**
 * Questions the demo understands: what it can do, what it remembers, and what its notes say about
 * something. It cannot tell what a question means: it looks for the question's words.
 */
const asking = String.raw`(?:what|when|where|who|whose|which|why|how)(?:'s|’s)?`;
const end = "[?.!？ ]*$";

/** Before any request: these begin with words that a request may begin with, too. */
export const questions: readonly Rule[] = [
  rule(
    `${please}(?:help(?: me)?|what (?:else )?(?:can|do|should) (?:you|i) (?:do|say|ask|type|try)(?: (?:here|now|next|first|you|for me))*|(?:who|what) are you|what is this|how does this work|(?:tell me about|introduce) (?:you|yourself))${end}`,
    () => ({ type: "help" }),
  ),
  rule(
    "^(?:请)?(?:帮助|帮帮我|你(?:能|会|可以)(?:帮我)?(?:做|干)?些?什么|你是谁|怎么用)[呢?？。!！]*$",
    () => ({
      type: "help",
    }),
  ),
  rule(
    `${please}(?:(?:list|show|read|open|print)(?: me)?(?: all)?(?: of)?(?: your| my| the)? (?:memory|memories|notes)|what (?:do|did) you (?:remember|know)(?: so far| about me| of me)?|what have i told you(?: so far)?|what(?:'s|’s| is) in (?:your|my|the) (?:memory|notes))${end}`,
    () => ({ type: "memory" }),
  ),
  rule(
    "^(?:请)?(?:列出|显示|看看|读取?)(?:一下)?(?:所有)?(?:你的|我的)?(?:记忆|笔记)[。!！]*$|^你(?:都|还)?(?:记得|知道)些?什么[?？。]*$",
    () => ({ type: "memory" }),
  ),
  rule(
    `${please}tell me (?:more |something |everything |all |what you know )*about (.+?)${end}`,
    (m) => recall(m[1]),
  ),
  rule(`${please}(?:tell me|remind me|find out) (${asking} .+?)${end}`, (m) => recall(m[1])),
  rule(
    `${please}what (?:do|did) (?:you|i) (?:know|remember|tell you|say|note) about (.+?)[?.!？]*$`,
    (m) => recall(m[1]),
  ),
  rule(
    `${please}(?:do you )?(?:know|remember) (?:anything|something|what i said) about (.+?)[?.!？]*$`,
    (m) => recall(m[1]),
  ),
  rule(`${please}do you (?:remember|know) (.+?)[?.!？]*$`, (m) => recall(m[1])),
  rule(`${please}who am i[?.!？]*$|^我是谁[?？。]*$`, () => ({ type: "read", path: "USER.md" })),
  rule(
    `${please}((?:what|when|where|who|which|how)(?:'s|’s)? (?:[^?]* )?(?:i|my|me|we|our)\\b[^?]*?)[?.!？]*$`,
    (m) => recall(m[1]),
  ),
  rule(
    "^我(?:的|要|该|应该)?(.+?)(?:是|叫|在)?(?:什么|哪里|哪儿|谁|多少)[^。？?]{0,4}[?？。]*$",
    (m) => recall(m[1]),
  ),
  rule(
    "^你?(?:还)?(?:知道|记得)(?:关于)?(?:我(?:的|说过的)?)?(.+?)(?:的)?(?:什么|哪些)(?:事|事情|信息)?[吗呢?？。]*$",
    (m) => recall(m[1]),
  ),
  rule("^(?:关于)(.+?)[,，]?你(?:还)?(?:知道|记得)(?:些)?什么[?？。]*$", (m) => recall(m[1])),
  rule("^你(?:还)?记得(.+?)[吗么][?？。]*$", (m) => recall(m[1])),
];

/** After every request: whatever else asks for something. */
export const anyQuestion: readonly Rule[] = [
  rule(`${please}(${asking} .+?)${end}`, (m) => recall(m[1])),
  rule(`${please}((?:is|are|was|were|do|does|did|has|have|can) .+?) *[?？]+$`, (m) => recall(m[1])),
  rule("^(.+?) *[?？]+$", (m) => (isGerman(m[1] ?? "") ? recall(m[1]) : null)),
  rule(
    "^(.+?)(?:放在|停在|是|在|有|叫)?(?:什么|哪里|哪儿|哪|谁|多少)(?:颜色|时候|地方|名字)?[呢?？。]*$",
    (m) => recall(m[1]),
  ),
];
