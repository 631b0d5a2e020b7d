import { type ModelProblem, ModelRefusedError } from '@countersign/model';
import type { Finding } from './lint/finding.js';
import { MODEL_LIMITS } from './limits.js';

/** Gathers every reason against a model, so that its author sees all of them at once. */
export class Problems {
  readonly #problems: ModelProblem[] = [];
  readonly #seen = new Set<string>();
  readonly #remarks: Finding[] = [];
  #lines: ReadonlyMap<string, number> = new Map();

  /** From now on, the line of an element is taken from here where none is given. */
  locate(lines: ReadonlyMap<string, number>): void {
    this.#lines = lines;
  }

  /** @throws {ModelRefusedError} where there are too many */
  add(elementId: string | null, code: string, message: string, line?: number): void {
    const key = JSON.stringify([elementId, code, message, elementId === null ? line : undefined]);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (this.#problems.length >= MODEL_LIMITS.problems) this.#giveUp();
    const at = line ?? (elementId === null ? undefined : this.#lines.get(elementId));
    this.#problems.push(at === undefined ? { elementId, code, message } : { elementId, code, message, line: at });
  }

  /** What is worth a word, and no reason to refuse the model: see lint/. */
  remark(elementId: string, rule: string, message: string): void {
    this.#remarks.push({ severity: 'warning', rule, elementId, message });
  }

  get remarks(): readonly Finding[] {
    return this.#remarks;
  }

  get any(): boolean {
    return this.#problems.length > 0;
  }

  throwIfAny(): void {
    if (!this.any) return;
    throw new ModelRefusedError([...this.#problems]);
  }

  /** Nobody reads more, and a hostile file is not worth the time. */
  #giveUp(): never {
    const message = `More than ${MODEL_LIMITS.problems} problems: the rest of the file was not checked.`;
    throw new ModelRefusedError([...this.#problems, { elementId: null, code: 'too_many_problems', message }]);
  }
}
