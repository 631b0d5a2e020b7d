import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

/**
 * Blocks of thoughts as LiteLLM passes them on from Anthropic (`thinking_blocks`). They come piece by piece, with the
 * signature in the last piece, and are of use only as the whole that was signed.
 */
export class ThinkingBlocks {
  private readonly blocks: Record<string, Json>[] = [];

  /** Characters of the thoughts so far. */
  get size(): number {
    return this.blocks.reduce((sum, { thinking }) => sum + textOf(thinking).length, 0);
  }

  /** Blocks so far; empty if there are none. */
  get all(): JsonObject[] {
    return this.blocks;
  }

  add(piece: unknown): void {
    if (!isJsonObject(piece)) return;
    const open = this.blocks.at(-1);
    const isSigned = textOf(open?.signature) !== '';
    if (open === undefined || open.type !== 'thinking' || piece.type !== 'thinking' || isSigned) {
      this.blocks.push({ ...piece });
      return;
    }
    const before = textOf(open.thinking);
    const thinking = textOf(piece.thinking);
    const signature = textOf(piece.signature);
    // Newer servers say the whole again with the signature.
    const isWhole = signature !== '' && before !== '' && thinking.startsWith(before);
    open.thinking = isWhole ? thinking : before + thinking;
    if (signature !== '') open.signature = signature;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
