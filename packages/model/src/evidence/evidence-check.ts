import type { CoverageGap } from './coverage-gap.js';
import type { IntegrityProblem, Report } from './integrity-problem.js';

/** What a document of evidence proves. It is sound where there are no problems; what it leaves open by its nature is listed beside them. */
export interface EvidenceCheck {
  readonly problems: readonly IntegrityProblem[];
  readonly notCovered: readonly CoverageGap[];
}

/** Collects what a check reports. Input that can't even be read is a problem, not an exception. */
export function checkEvidence(verify: (report: Report) => readonly CoverageGap[]): EvidenceCheck {
  const problems: IntegrityProblem[] = [];
  let notCovered: readonly CoverageGap[] = [];
  const report: Report = (code, pointer, message) => void problems.push({ code, pointer, message });
  try {
    notCovered = verify(report);
  } catch (error) {
    // For example half of a surrogate pair, which has no RFC 8785 form.
    report(
      'malformed',
      '',
      `The document could not be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return { problems, notCovered };
}
