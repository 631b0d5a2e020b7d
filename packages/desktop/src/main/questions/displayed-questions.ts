import type { Question } from '@countersign/contract';
import { Loads } from '../api/loads.js';

const MAX_QUESTIONS = 1_000;

/** The questions that went to the window for being read, so that an answer counts only for one of those, in its own run. */
export class DisplayedQuestions {
  /** Runs by question, the one that was read longest ago first. */
  private readonly runs = new Map<string, string>();
  /** Questions that the window has asked for by themselves. It may show what the list had of one until it is there. */
  readonly loads = new Loads();

  record({ questionId, runId }: Pick<Question, 'questionId' | 'runId'>): void {
    this.runs.delete(questionId);
    this.runs.set(questionId, runId);
    for (const oldest of this.runs.keys()) {
      if (this.runs.size <= MAX_QUESTIONS) break;
      this.runs.delete(oldest);
    }
  }

  /** The run of a question that was shown. */
  runOf(questionId: string): string | undefined {
    return this.runs.get(questionId);
  }
}
