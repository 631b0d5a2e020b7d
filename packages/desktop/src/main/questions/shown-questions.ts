import type { Question } from '@countersign/contract';

const MOST = 1_000;

/** The questions that went to the window for being read, so that an answer counts only for one of those, in its own run. */
export class ShownQuestions {
  /** Runs by question, the one that was read longest ago first. */
  private readonly runs = new Map<string, string>();

  record({ questionId, runId }: Pick<Question, 'questionId' | 'runId'>): void {
    this.runs.delete(questionId);
    this.runs.set(questionId, runId);
    for (const oldest of this.runs.keys()) {
      if (this.runs.size <= MOST) break;
      this.runs.delete(oldest);
    }
  }

  /** The run of a question that was shown. */
  runOf(questionId: string): string | undefined {
    return this.runs.get(questionId);
  }
}
