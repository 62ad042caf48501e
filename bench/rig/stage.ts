import { randomBytes, randomInt } from "node:crypto";
import { Doubles } from "./doubles.ts";
import { progress } from "./figure.ts";
import { Site } from "./site.ts";

/**
 * Both sites side by side over the same doubles: the product and the floor it is compared with, in the
 * same kind of process. Measurements alternate between them, so that whatever else the machine does
 * falls on both.
 */
export interface StageOptions {
  /** How many conversations will be needed, of both sites together: topics in the owner's chat. */
  readonly topics: number;
  readonly showRequests?: boolean;
  /** More of the product's configuration document. */
  readonly config?: Readonly<Record<string, unknown>>;
}

export class Stage {
  readonly product: Site;
  readonly floor: Site;
  readonly doubles: Doubles;
  #topics = 1;

  private constructor(sites: readonly [Site, Site], doubles: Doubles) {
    [this.product, this.floor] = sites;
    this.doubles = doubles;
  }

  static async open(options: StageOptions): Promise<Stage> {
    const { doubles, ...identity } = await startDoubles(options);
    const product = await Site.start(productOptions(doubles, identity, options.config));
    const floor = await Site.start(floorOptions(doubles, identity));
    return new Stage([product, floor], doubles);
  }

  get sites(): readonly Site[] {
    return [this.floor, this.product];
  }

  /** A conversation nobody has written in yet. */
  newTopic(): number {
    return (this.#topics += 1);
  }

  newTopics(count: number): number[] {
    return Array.from({ length: count }, () => this.newTopic());
  }

  /** Loads and compiles what both need, so that no measurement pays for it. */
  async warm(): Promise<void> {
    progress("warming up");
    for (const site of this.sites) {
      const topic = this.newTopic();
      for (let turn = 0; turn < 20; turn += 1) await site.turn(topic, words(60));
    }
  }

  async close(): Promise<void> {
    for (const site of this.sites) {
      for (const complaint of site.complaints()) progress(`${site.name} logged: ${complaint}`);
      await site.stop();
    }
    await this.doubles.stop();
  }
}

/** The world around any number of sites: platforms that answer at once, and the person who writes. */
export async function startDoubles(
  options: Pick<StageOptions, "topics" | "showRequests">,
): Promise<Identity & { readonly doubles: Doubles }> {
  const token = `${randomInt(100_000_000, 999_999_999)}:${randomBytes(24).toString("base64url")}`;
  const owner = randomInt(100_000_000, 900_000_000);
  const topics = Array.from({ length: options.topics }, (_, index) => index + 2);
  const showRequests = options.showRequests ?? false;
  const doubles = await Doubles.start({ token, owner, topics, showRequests });
  doubles.play({ answer: words(400), delayMs: 0 });
  return { doubles, token, owner };
}

export interface Identity {
  readonly token: string;
  readonly owner: number;
}

/** The product, with a configuration document. */
export function productOptions(doubles: Doubles, { token, owner }: Identity, config = {}) {
  const secret = randomBytes(18).toString("base64url");
  const gatewayToken = randomBytes(18).toString("base64url");
  return {
    name: "pagurus",
    doubles,
    owner,
    config: "wrangler.toml",
    gatewayToken,
    headers: { "x-telegram-bot-api-secret-token": secret },
    vars: {
      GATEWAY_TOKEN: gatewayToken,
      OWNERS: `telegram:${owner}`,
      TELEGRAM_BOT_TOKEN: token,
      TELEGRAM_WEBHOOK_SECRET: secret,
      TELEGRAM_API_ROOT: doubles.telegramUrl,
      OPENAI_BASE_URL: doubles.modelUrl,
      MODEL: "openai/bench-model",
      PAGURUS_CONFIG: JSON.stringify(config),
    },
  };
}

function floorOptions(doubles: Doubles, { token, owner }: Identity) {
  return {
    name: "floor",
    doubles,
    owner,
    config: "bench/floor/wrangler.toml",
    gatewayToken: "",
    headers: {},
    vars: {
      MODEL_URL: doubles.modelUrl,
      MODEL: "bench-model",
      BOT_URL: `${doubles.telegramUrl}/bot${token}`,
    },
  };
}

/** So many characters of made-up words, never the same twice. */
export function words(length: number): string {
  let text = "";
  while (text.length < length) text += `${randomBytes(randomInt(1, 5)).toString("hex")} `;
  return text.slice(0, length).trim();
}
