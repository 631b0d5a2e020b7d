import type { Question } from '@countersign/contract';
import { PendingLoads } from '../api/pending-loads.js';

const MAX_QUESTIONS = 1_000;

/** Record of the questions displayed in the window: only these can be answered, each in its own run. */
export class DisplayedQuestions {
  /** Run ids by question id, least recently received first. */
  private readonly runIds = new Map<string, string>();
  /**
   * Questions that the window has requested individually. Until a question arrives, the window may show its data from
   * the list.
   */
  readonly loads = new PendingLoads();

  record({ questionId, runId }: Pick<Question, 'questionId' | 'runId'>): void {
    this.runIds.delete(questionId);
    this.runIds.set(questionId, runId);
    for (const oldest of this.runIds.keys()) {
      if (this.runIds.size <= MAX_QUESTIONS) break;
      this.runIds.delete(oldest);
    }
  }

  /** Returns the id of the run of a displayed question; `undefined` if the question was not displayed. */
  getRunId(questionId: string): string | undefined {
    return this.runIds.get(questionId);
  }
}
