/** How a sentence about oneself begins; parts of the forms of supersede.ts. */

/** I, or the agent's word for who says so. */
export const who = String.raw`^(?:(?:actually|by the way|from now on|since \w+|now|today|and|so|well|ok|okay|no|sorry)[\s,]+)*(?:i|we|(?:the\s+)?(?:owner|user)|they)(?:'ve|'m|'re| have| has| am| is| are)?\s+(?:just |now |recently |really |currently |still |only |also )*`;
export const mine = String.raw`^(?:(?:actually|by the way|from now on|now|today|and|so|well|ok|okay|no|sorry)[\s,]+)*(?:my|our|(?:the\s+)?(?:owner|user)'s|their)\s+(?:new |current |present )*`;
/** The verb behind it. */
export const becomes = String.raw`\s+(?:is|are|was changed to|changed to|has changed to|will be)(?:\s+now)?\s+`;
