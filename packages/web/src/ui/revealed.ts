/**
 * Characters that are not seen and change what is: controls, those that turn the direction of what follows around
 * (CVE-2021-42574), those without width, and tags, which people don't see and language models read. What joins letters and
 * emoji (U+200C, U+200D, U+FE0F) is left alone, and so are line breaks and tabs.
 */
const UNSEEN = /(?:(?!\p{Cc})[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|(?!\r\n)[^\P{Cc}\t\n])/gu;

/**
 * A text as it is, with what nobody would see of it named: `⟦U+202E⟧`. To be used wherever somebody relies on what they read:
 * what is approved, what is compared, what somebody said.
 */
export function revealed(text: string): string {
  return text.replace(UNSEEN, (character) => `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`);
}
