import { createCipheriv, createHash, type Cipher } from 'node:crypto';

/** Random choices that the same seed repeats. */
export class SeededRandom {
  private readonly stream: Cipher;

  constructor(readonly seed: string) {
    this.stream = createCipheriv('aes-256-ctr', createHash('sha256').update(seed).digest(), Buffer.alloc(16));
  }

  /** Returns the choices of one turn. They depend only on its number, not on the choices made in earlier turns. */
  turn(number: number): SeededRandom {
    return new SeededRandom(`${this.seed}/${number}`);
  }

  /** Returns an integer from 0 to below the limit. */
  int(below: number): number {
    return Math.floor((this.stream.update(Buffer.alloc(4)).readUInt32BE() / 2 ** 32) * below);
  }

  chance(probability: number): boolean {
    return this.int(1_000_000) < probability * 1_000_000;
  }

  /** @throws {RangeError} for an empty list */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('There is nothing to pick from.');
    return list[this.int(list.length)] as T;
  }

  /** Picks an item by weight. */
  weighted<T>(list: readonly (readonly [weight: number, T])[]): T {
    let left = this.int(list.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, each] of list) {
      left -= weight;
      if (left < 0) return each;
    }
    throw new RangeError('There is nothing to pick from.');
  }
}
