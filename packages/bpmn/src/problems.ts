import { type ModelProblem, ModelRefusedError } from '@countersign/model';
import type { Finding } from './lint/finding.js';
import { MODEL_LIMITS } from './limits.js';

/** Collects all reasons to refuse a model, so that they are reported together. */
export class Problems {
  readonly #problems: ModelProblem[] = [];
  readonly #seen = new Set<string>();
  readonly #warnings: Finding[] = [];
  #lines: ReadonlyMap<string, number> = new Map();

  /** Sets the lines of elements, which are used for problems without a line. */
  setLines(lines: ReadonlyMap<string, number>): void {
    this.#lines = lines;
  }

  /**
   * Adds a problem.
   *
   * @throws {ModelRefusedError} if there are too many problems
   */
  add(elementId: string | null, code: string, message: string, line?: number): void {
    const key = JSON.stringify([elementId, code, message, elementId === null ? line : undefined]);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (this.#problems.length >= MODEL_LIMITS.problems) this.#throwTooMany();
    const lineNumber = line ?? (elementId === null ? undefined : this.#lines.get(elementId));
    this.#problems.push(
      lineNumber === undefined ? { elementId, code, message } : { elementId, code, message, line: lineNumber },
    );
  }

  /** Adds a warning. A model with warnings is not refused; they are reported with the findings of `lint/`. */
  addWarning(elementId: string, rule: string, message: string): void {
    this.#warnings.push({ severity: 'warning', rule, elementId, message });
  }

  get warnings(): readonly Finding[] {
    return this.#warnings;
  }

  get hasProblems(): boolean {
    return this.#problems.length > 0;
  }

  throwIfAny(): void {
    if (!this.hasProblems) return;
    throw new ModelRefusedError([...this.#problems]);
  }

  /** Stops the checks: more problems would not help the author, and a hostile file must not take more time. */
  #throwTooMany(): never {
    const message = `More than ${MODEL_LIMITS.problems} problems: the rest of the file was not checked.`;
    throw new ModelRefusedError([...this.#problems, { elementId: null, code: 'too_many_problems', message }]);
  }
}
