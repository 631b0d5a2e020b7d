import type { ComponentType } from 'react';
import type { Run } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { RunApprovals } from './approvals/run-approvals.js';
import { RunArtifacts } from './artifacts/run-artifacts.js';
import { ChildRuns } from './child-runs.js';
import { RunConversation } from './conversation/run-conversation.js';
import { RunEventsPanel } from './events/run-events-panel.js';
import { RunEvidence } from './evidence/run-evidence.js';
import type { RunPartProps } from './run-part-props.js';
import { RunVariables } from './run-variables.js';

export interface RunTab {
  readonly key: string;
  readonly label: string;
  readonly Content: ComponentType<RunPartProps>;
  /** Returns the number to show beside the label; 0 is not shown. */
  count?(run: Run): number;
}

/** Tabs of a run after the overview, in this order. */
export const RUN_TABS: readonly RunTab[] = Object.freeze([
  {
    key: 'approvals',
    label: texts.run.tabs.approvals,
    Content: RunApprovals,
    count: ({ pendingApprovals }) => pendingApprovals,
  },
  {
    key: 'conversation',
    label: texts.run.tabs.conversation,
    Content: RunConversation,
    count: ({ pendingQuestions }) => pendingQuestions,
  },
  { key: 'artifacts', label: texts.run.tabs.artifacts, Content: RunArtifacts },
  { key: 'variables', label: texts.run.tabs.variables, Content: RunVariables },
  { key: 'events', label: texts.run.tabs.events, Content: RunEventsPanel },
  { key: 'evidence', label: texts.run.tabs.evidence, Content: RunEvidence },
  { key: 'children', label: texts.run.tabs.children, Content: ChildRuns },
]);
