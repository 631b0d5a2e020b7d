import type { CoverageGapCode } from '@countersign/model/evidence';
import type { DecisionFileView } from './find-decision-files.js';
import type { DefinitionView } from './find-used-definitions.js';
import type { AgentStepWork } from './views/agent-work-view.js';
import type { EvidenceAuditEventView } from './views/audit-view.js';
import type { EvidenceEventView } from './views/run-event-view.js';
import type { EvidenceApprovalView, EvidenceArtifactView, EvidenceRunView } from './views/evidence-views.js';
import type { QuestionView } from './views/question-view.js';
import type { EvidenceSigningKeyView } from './views/signing-key-view.js';
import type { StepView } from './views/step-view.js';

/** Format identifier of the pack, as in the published JSON Schema. */
export const EVIDENCE_PACK_SCHEMA = 'urn:countersign:schema:evidence-pack:2';

export type EvidenceWorkflowView = {
  workflowId: string;
  version: number;
  digest: string;
  bpmnXml: string;
  deployedAt: string;
  /** User who deployed the version; `null` if no event of the run names the user. */
  deployedBy: string | null;
};

/** Everything needed to verify a run without its server. */
export type EvidencePackView = {
  schema: typeof EVIDENCE_PACK_SCHEMA;
  generatedAt: string;
  generatedBy: string;
  server: { version: string; instanceId: string; serverId: string };
  run: EvidenceRunView;
  workflow: EvidenceWorkflowView;
  earlierVersions: EvidenceWorkflowView[];
  decisionFiles: DecisionFileView[];
  steps: StepView[];
  approvals: EvidenceApprovalView[];
  signingKeys: EvidenceSigningKeyView[];
  questions: QuestionView[];
  agentWork: (AgentStepWork & { stepId: string })[];
  definitions: DefinitionView[];
  artifacts: EvidenceArtifactView[];
  events: EvidenceEventView[];
  auditEvents: EvidenceAuditEventView[];
  refusals: EvidenceAuditEventView[];
  notCovered: { code: CoverageGapCode; events: number[]; explanation: string }[];
  chain: {
    algorithm: 'sha256';
    canonicalisation: 'RFC 8785';
    genesis: string;
    runHead: { seq: number; hash: string };
    auditHead: { seq: number; hash: string };
  };
};
