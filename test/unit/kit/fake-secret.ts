const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789";

/** Made at run time, so that nothing can be hard-coded. */
export function random(length: number, letters = alphabet): string {
  const values = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(values, (value) => letters[value % letters.length]).join("");
}

export const botId = `9${random(8, "0123456789")}`;
export const botToken = `FAKE-${random(30)}`;
