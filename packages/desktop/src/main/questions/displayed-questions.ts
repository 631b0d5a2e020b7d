import type { Question } from '@countersign/contract';
import { Loads } from '../api/loads.js';

const MAX_QUESTIONS = 1_000;

/** Record of the questions displayed in the window: only these can be answered, each in its own run. */
export class DisplayedQuestions {
  /** Runs by question, least recently read first. */
  private readonly runs = new Map<string, string>();
  /**
   * Questions that the window has requested individually. Until a question arrives, the window may show its data from
   * the list.
   */
  readonly loads = new Loads();

  record({ questionId, runId }: Pick<Question, 'questionId' | 'runId'>): void {
    this.runs.delete(questionId);
    this.runs.set(questionId, runId);
    for (const oldest of this.runs.keys()) {
      if (this.runs.size <= MAX_QUESTIONS) break;
      this.runs.delete(oldest);
    }
  }

  /** Returns the run of a displayed question. */
  runOf(questionId: string): string | undefined {
    return this.runs.get(questionId);
  }
}
