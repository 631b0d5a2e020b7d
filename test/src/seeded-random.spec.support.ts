import { createCipheriv, createHash, type Cipher } from 'node:crypto';

/** Generator of random choices, which are the same for the same seed. */
export class SeededRandom {
  private readonly stream: Cipher;

  constructor(readonly seed: string) {
    this.stream = createCipheriv('aes-256-ctr', createHash('sha256').update(seed).digest(), Buffer.alloc(16));
  }

  /**
   * Returns a generator for a numbered part of the choices. It depends only on the seed and the number, not on earlier
   * choices.
   */
  derive(number: number): SeededRandom {
    return new SeededRandom(`${this.seed}/${number}`);
  }

  /** Returns an integer from 0 (inclusive) to the limit (exclusive). */
  int(limit: number): number {
    return Math.floor((this.stream.update(Buffer.alloc(4)).readUInt32BE() / 2 ** 32) * limit);
  }

  chance(probability: number): boolean {
    return this.int(1_000_000) < probability * 1_000_000;
  }

  /** @throws {RangeError} if the list is empty */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('Cannot pick from an empty list.');
    return list[this.int(list.length)] as T;
  }

  /** Picks an item by weight. */
  weighted<T>(list: readonly (readonly [weight: number, T])[]): T {
    let remainingWeight = this.int(list.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, item] of list) {
      remainingWeight -= weight;
      if (remainingWeight < 0) return item;
    }
    throw new RangeError('The list has no item with a positive weight.');
  }
}
