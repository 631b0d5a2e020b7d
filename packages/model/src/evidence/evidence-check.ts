import type { CoverageGap } from './coverage-gap.js';
import type { IntegrityProblem, ReportProblem } from './integrity-problem.js';

/**
 * Result of the check of an evidence document. The document is valid if there are no problems; `notCovered` lists the
 * statements that it cannot prove, which are not problems.
 */
export interface EvidenceCheck {
  readonly problems: readonly IntegrityProblem[];
  readonly notCovered: readonly CoverageGap[];
}

/** Collects the results of a check. Unreadable input is reported as a problem, not thrown. */
export function checkEvidence(verify: (report: ReportProblem) => readonly CoverageGap[]): EvidenceCheck {
  const problems: IntegrityProblem[] = [];
  let notCovered: readonly CoverageGap[] = [];
  const report: ReportProblem = (code, pointer, message) => void problems.push({ code, pointer, message });
  try {
    notCovered = verify(report);
  } catch (error) {
    // For example a lone surrogate, which has no RFC 8785 form.
    report(
      'malformed',
      '',
      `The document could not be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return { problems, notCovered };
}
