import type { OperationId } from '@countersign/contract';
import type { Locator, Page } from 'playwright-core';
import type { Action, Place } from './action.spec.support.js';
import { button } from './view.spec.support.js';

const press = (name: string, operation: OperationId): Action => ({
  name,
  operation,
  offered: (page) => button(page, name),
});
const link = (name: string, operation: OperationId): Action => ({
  name,
  operation,
  offered: (page) => page.getByRole('link', { name, exact: true }),
});
const row =
  (name: RegExp) =>
  (page: Page): Locator =>
    page.getByRole('row', { name }).first();

const failing = row(/web-failing/);
const choosing = {
  click: (page: Page): Locator => failing(page).getByRole('checkbox'),
  seen: (page: Page): Locator => page.getByText('1 run chosen'),
};
const more = {
  click: (page: Page): Locator => button(page, 'More decisions'),
  seen: (page: Page): Locator => page.getByRole('menu'),
};
const item = (name: string, operation: OperationId): Action => ({
  name,
  operation,
  behind: more,
  offered: (page) => page.getByRole('menuitem', { name, exact: true }),
});

/** Opens the user menu, and the dialog in it. */
const person = {
  click: (page: Page): Locator => page.getByRole('button', { name: /^\w+ · / }),
  seen: (page: Page): Locator => page.getByRole('menu'),
};
const absence = {
  click: (page: Page): Locator => page.getByRole('menuitem', { name: 'Out of office' }),
  seen: (page: Page): Locator => page.getByRole('dialog', { name: 'Out of office' }),
};

const RUNS: readonly Place[] = [
  {
    at: () => '/runs?q=web-failing',
    seen: failing,
    actions: [
      link('Start a run', 'startRun'),
      { ...press('Cancel …', 'bulkCancelRuns'), behind: choosing },
      { ...press('Recover …', 'bulkRecoverRuns'), behind: choosing },
      link('Inbound events', 'listInboundEvents'),
      link('Deliveries', 'listOutboundDeliveries'),
      link('Settings', 'getSettings'),
    ],
  },
  {
    at: () => '/runs/new?workflowId=order',
    seen: (page) => page.getByRole('textbox', { name: 'Business key' }),
    actions: [press('Start run', 'startRun')],
  },
  {
    at: ({ failed }) => `/runs/${failed.runId}`,
    seen: (page) => page.getByText('“Charge the card” failed: The card was declined.'),
    actions: [press('Recover …', 'recoverRun'), press('Evidence', 'downloadEvidencePack')],
  },
  {
    at: ({ message }) => `/runs/${message.runId}`,
    seen: (page) => page.getByText('(newest: 2)'),
    actions: [press('Move to version 2 …', 'migrateRun'), press('Cancel the run …', 'cancelRun')],
  },
  {
    at: ({ reviewing }) => `/runs/${reviewing.runId}?tab=artifacts&artifact=report.md`,
    seen: (page) => page.getByRole('region', { name: 'report.md' }),
    actions: [press('Upload files', 'uploadArtifact'), press('Download', 'downloadArtifact')],
  },
  {
    at: ({ asking }) => `/runs/${asking.runId}?tab=conversation`,
    seen: (page) => page.getByText('Whose is it?').first(),
    actions: [
      press('Answer', 'answerQuestion'),
      {
        name: 'Team',
        operation: 'answerQuestion',
        offered: (page) => page.getByRole('combobox', { name: 'Team' }),
      },
    ],
  },
  {
    at: ({ questionId }) => `/questions?question=${questionId}`,
    seen: (page) => page.getByRole('article').getByText('Whose is it?'),
    actions: [press('Send the answer', 'answerQuestion')],
  },
];

const APPROVALS: readonly Place[] = [
  {
    at: () => '/approvals',
    seen: row(/Approve the release.*Lets simple/),
    actions: [
      {
        name: 'Approve 1',
        operation: 'decideApprovals',
        behind: {
          click: (page) => row(/Approve the release.*Lets simple/)(page).getByRole('checkbox'),
          seen: (page) => page.getByText('1 approval selected'),
        },
        offered: (page) => button(page, 'Approve 1'),
      },
    ],
  },
  {
    at: () => '/approvals?q=release',
    seen: row(/Approve the release.*Lets simple/),
    actions: [
      { name: 'Out of office', operation: 'setMyAbsence', behind: person, offered: absence.click },
      { ...press('Cancel the absence', 'endMyAbsence'), behind: absence },
    ],
  },
  {
    at: ({ call }) => `/approvals/${call.approvalId}`,
    seen: (page) => page.getByText(/Calls note with text/).first(),
    actions: [
      press('Approve', 'decideApproval'),
      press('Request changes', 'decideApproval'),
      press('Reject', 'decideApproval'),
      item('Edit arguments', 'decideApproval'),
      item('Delegate', 'delegateApproval'),
      item('Reassign', 'reassignApproval'),
    ],
  },
];

const MODELS: readonly Place[] = [
  {
    at: () => '/workflows',
    seen: row(/Order and pay/),
    actions: [press('Deploy a file', 'deployWorkflow'), link('Start a run of Order and pay', 'startRun')],
  },
  {
    at: () => '/workflows?deploy=1',
    seen: (page) => page.getByRole('heading', { level: 1 }),
    actions: [press('Choose a file', 'deployWorkflow')],
  },
  {
    at: () => '/workflows/order',
    seen: (page) => page.getByRole('heading', { level: 1, name: 'Order and pay' }),
    actions: [link('Deploy a file', 'deployWorkflow'), link('Start a run', 'startRun')],
  },
  {
    at: () => '/policies?tab=trial',
    seen: (page) => page.getByRole('tab', { name: 'Decisions' }),
    actions: [
      { name: 'The policy', operation: 'getPolicy', offered: (page) => page.getByRole('tab', { name: 'The policy' }) },
      { name: 'What if', operation: 'tryPolicy', offered: (page) => page.getByRole('tab', { name: 'What if' }) },
      press('Try it', 'tryPolicy'),
    ],
  },
  {
    at: () => '/policies?decision=require_approval&workflow=agent',
    seen: row(/writer calls note/),
    actions: [
      {
        name: 'Show that policy',
        operation: 'getPolicyVersion',
        behind: { click: row(/writer calls note/), seen: (page) => page.getByRole('dialog') },
        offered: (page) => page.getByRole('link', { name: 'Show that policy' }),
      },
    ],
  },
];

const SERVER: readonly Place[] = [
  {
    at: ({ eventId }) => `/inbound-events?event=${eventId}`,
    reads: 'listInboundEvents',
    seen: (page) => page.getByRole('dialog').getByText('It neither resumed nor started a run.'),
    actions: [
      press('Deliver again', 'redeliverInboundEvent'),
      {
        name: 'Event details',
        operation: 'getInboundEvent',
        offered: (page) => page.getByRole('dialog', { name: 'Event ci.passed' }),
      },
    ],
  },
  {
    at: () => '/deliveries',
    reads: 'listOutboundDeliveries',
    seen: row(/desk Held/),
    actions: [
      {
        ...press('Send again', 'redeliverOutboundDelivery'),
        behind: { click: row(/desk Held/), seen: (page) => page.getByRole('dialog') },
      },
    ],
  },
  {
    at: () => '/settings?q=stuck',
    reads: 'getSettings',
    seen: (page) => page.getByRole('group', { name: 'Runs:StuckAfter' }),
    actions: [press('Edit Runs:StuckAfter', 'updateSettings')],
  },
  {
    at: () => '/settings?section=Door',
    reads: 'getSettings',
    seen: (page) => page.getByRole('group', { name: 'Door:Even' }),
    actions: [press('Rotate Door:Sources:ci:Secret', 'updateSettings')],
  },
  {
    at: () => '/settings?tab=tests',
    reads: 'getSettings',
    seen: (page) => page.getByRole('tab', { name: 'Tests', selected: true }),
    actions: [press('Test bell', 'testSettings'), press('Test all', 'testSettings')],
  },
  {
    at: () => '/settings?tab=agents',
    reads: 'getSettings',
    seen: row(/files\.read/),
    actions: [
      press('Review and accept files.read', 'acceptTool'),
      { name: 'Tools', operation: 'listTools', offered: row(/files\.read/) },
    ],
  },
];

/** All addresses with actions of the web UI. */
export const PLACES: readonly Place[] = [...RUNS, ...APPROVALS, ...MODELS, ...SERVER];
