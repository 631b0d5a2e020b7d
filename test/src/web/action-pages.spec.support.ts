import type { OperationId } from '@countersign/contract';
import type { Locator, Page } from 'playwright-core';
import type { GuardedAction, ActionPage } from './action.spec.support.js';
import { button } from './view.spec.support.js';

const buttonAction = (name: string, operation: OperationId): GuardedAction => ({
  name,
  operation,
  locator: (page) => button(page, name),
});
const linkAction = (name: string, operation: OperationId): GuardedAction => ({
  name,
  operation,
  locator: (page) => page.getByRole('link', { name, exact: true }),
});
const findRow =
  (name: RegExp) =>
  (page: Page): Locator =>
    page.getByRole('row', { name }).first();

const failingRunRow = findRow(/web-failing/);
const selectedRun = {
  click: (page: Page): Locator => failingRunRow(page).getByRole('checkbox'),
  expected: (page: Page): Locator => page.getByText('1 run selected'),
};
const moreDecisions = {
  click: (page: Page): Locator => button(page, 'More actions'),
  expected: (page: Page): Locator => page.getByRole('menu'),
};
const menuItemAction = (name: string, operation: OperationId): GuardedAction => ({
  name,
  operation,
  opener: moreDecisions,
  locator: (page) => page.getByRole('menuitem', { name, exact: true }),
});

/** Openers of the user menu and of the absence dialog in it. */
const userMenu = {
  click: (page: Page): Locator => page.getByRole('button', { name: /^\w+ · / }),
  expected: (page: Page): Locator => page.getByRole('menu'),
};
const absenceDialog = {
  click: (page: Page): Locator => page.getByRole('menuitem', { name: 'Out of office' }),
  expected: (page: Page): Locator => page.getByRole('dialog', { name: 'Out of office' }),
};

const RUN_PAGES: readonly ActionPage[] = [
  {
    path: () => '/runs?q=web-failing',
    expected: failingRunRow,
    actions: [
      linkAction('Start a run', 'startRun'),
      { ...buttonAction('Cancel…', 'bulkCancelRuns'), opener: selectedRun },
      { ...buttonAction('Recover…', 'bulkRecoverRuns'), opener: selectedRun },
      linkAction('Inbound events', 'listInboundEvents'),
      linkAction('Outbound deliveries', 'listOutboundDeliveries'),
      linkAction('Settings', 'getSettings'),
    ],
  },
  {
    path: () => '/runs/new?workflowId=order',
    expected: (page) => page.getByRole('textbox', { name: 'Business key' }),
    actions: [buttonAction('Start run', 'startRun')],
  },
  {
    path: ({ failed }) => `/runs/${failed.runId}`,
    expected: (page) => page.getByText('“Charge the card” failed: The card was declined.'),
    actions: [buttonAction('Recover run…', 'recoverRun'), buttonAction('Download evidence', 'downloadEvidencePack')],
  },
  {
    path: ({ message }) => `/runs/${message.runId}`,
    expected: (page) => page.getByText('(latest: 2)'),
    actions: [buttonAction('Move to version 2…', 'migrateRun'), buttonAction('Cancel run…', 'cancelRun')],
  },
  {
    path: ({ reviewing }) => `/runs/${reviewing.runId}?tab=artifacts&artifact=report.md`,
    expected: (page) => page.getByRole('region', { name: 'report.md' }),
    actions: [buttonAction('Upload files', 'uploadArtifact'), buttonAction('Download', 'downloadArtifact')],
  },
  {
    path: ({ asking }) => `/runs/${asking.runId}?tab=conversation`,
    expected: (page) => page.getByText('Whose is it?').first(),
    actions: [
      buttonAction('Answer', 'answerQuestion'),
      {
        name: 'Team',
        operation: 'answerQuestion',
        locator: (page) => page.getByRole('combobox', { name: 'Team' }),
      },
    ],
  },
  {
    path: ({ questionId }) => `/questions?question=${questionId}`,
    expected: (page) => page.getByRole('article').getByText('Whose is it?'),
    actions: [buttonAction('Send answer', 'answerQuestion')],
  },
];

const APPROVAL_PAGES: readonly ActionPage[] = [
  {
    path: ({ questionId }) => `/approvals/questions/${questionId}`,
    expected: (page) => page.getByRole('article').getByText('Whose is it?'),
    actions: [buttonAction('Send answer', 'answerQuestion')],
  },
  {
    path: () => '/approvals',
    expected: findRow(/Approve the release.*version: 1\.4\.0/),
    actions: [
      {
        name: 'Approve 1',
        operation: 'decideApprovals',
        opener: {
          click: (page) => findRow(/Approve the release.*version: 1\.4\.0/)(page).getByRole('checkbox'),
          expected: (page) => page.getByText('1 approval selected'),
        },
        locator: (page) => button(page, 'Approve 1'),
      },
    ],
  },
  {
    path: () => '/approvals?q=release',
    expected: findRow(/Approve the release.*version: 1\.4\.0/),
    actions: [
      { name: 'Out of office', operation: 'setMyAbsence', opener: userMenu, locator: absenceDialog.click },
      { ...buttonAction('Cancel absence', 'endMyAbsence'), opener: absenceDialog },
      {
        name: 'Substitute',
        operation: 'listUsers',
        opener: absenceDialog,
        locator: (page) => page.getByRole('combobox', { name: 'Substitute' }),
      },
    ],
  },
  {
    path: ({ call }) => `/approvals/${call.approvalId}`,
    expected: (page) => page.getByText(/Call note .*with text:/).first(),
    actions: [
      buttonAction('Approve', 'decideApproval'),
      buttonAction('Request changes', 'decideApproval'),
      buttonAction('Reject', 'decideApproval'),
      menuItemAction('Edit arguments', 'decideApproval'),
      menuItemAction('Delegate', 'delegateApproval'),
      menuItemAction('Reassign', 'reassignApproval'),
      {
        name: 'Comment without voting',
        operation: 'commentOnApproval',
        locator: (page) => page.getByRole('textbox', { name: 'Comment without voting' }),
      },
    ],
  },
];

const MODEL_PAGES: readonly ActionPage[] = [
  {
    path: () => '/workflows',
    expected: findRow(/Order and pay/),
    actions: [
      buttonAction('Deploy workflow', 'deployWorkflow'),
      linkAction('Start a run of Order and pay', 'startRun'),
    ],
  },
  {
    path: () => '/workflows?deploy=1',
    expected: (page) => page.getByRole('heading', { level: 1 }),
    actions: [buttonAction('Choose a file', 'deployWorkflow')],
  },
  {
    path: () => '/workflows/order',
    expected: (page) => page.getByRole('heading', { level: 1, name: 'Order and pay' }),
    actions: [linkAction('Deploy workflow', 'deployWorkflow'), linkAction('Start a run', 'startRun')],
  },
  {
    path: () => '/policies?tab=trial',
    expected: (page) => page.getByRole('tab', { name: 'Decisions' }),
    actions: [
      {
        name: 'Policy files',
        operation: 'getPolicy',
        locator: (page) => page.getByRole('tab', { name: 'Policy files' }),
      },
      {
        name: 'Try changes',
        operation: 'tryPolicy',
        locator: (page) => page.getByRole('tab', { name: 'Try changes' }),
      },
      buttonAction('Evaluate', 'tryPolicy'),
    ],
  },
  {
    path: () => '/policies?decision=require_approval&workflow=agent',
    expected: findRow(/writer calls note/),
    actions: [
      {
        name: 'Show policy',
        operation: 'getPolicyVersion',
        opener: { click: findRow(/writer calls note/), expected: (page) => page.getByRole('dialog') },
        locator: (page) => page.getByRole('link', { name: 'Show policy' }),
      },
    ],
  },
];

const SERVER_PAGES: readonly ActionPage[] = [
  {
    path: ({ eventId }) => `/inbound-events?event=${eventId}`,
    reads: 'listInboundEvents',
    expected: (page) => page.getByRole('dialog').getByText('It neither resumed nor started a run.'),
    actions: [
      buttonAction('Deliver again', 'redeliverInboundEvent'),
      {
        name: 'Event details',
        operation: 'getInboundEvent',
        locator: (page) => page.getByRole('dialog', { name: 'Event ci.passed' }),
      },
    ],
  },
  {
    path: () => '/deliveries',
    reads: 'listOutboundDeliveries',
    expected: findRow(/desk Paused/),
    actions: [
      {
        ...buttonAction('Send again', 'redeliverOutboundDelivery'),
        opener: { click: findRow(/desk Paused/), expected: (page) => page.getByRole('dialog') },
      },
    ],
  },
  {
    path: () => '/settings?q=stuck',
    reads: 'getSettings',
    expected: (page) => page.getByRole('group', { name: 'Runs:StuckAfter' }),
    actions: [buttonAction('Edit Runs:StuckAfter', 'updateSettings')],
  },
  {
    path: () => '/settings?section=Door',
    reads: 'getSettings',
    expected: (page) => page.getByRole('group', { name: 'Door:Even' }),
    actions: [buttonAction('Rotate Door:Sources:ci:Secret', 'updateSettings')],
  },
  {
    path: () => '/settings?tab=tests',
    reads: 'getSettings',
    expected: (page) => page.getByRole('tab', { name: 'Tests', selected: true }),
    actions: [buttonAction('Test bell', 'testSettings'), buttonAction('Test all', 'testSettings')],
  },
  {
    path: () => '/settings?tab=agents',
    reads: 'getSettings',
    expected: findRow(/files\.read/),
    actions: [
      buttonAction('Review and accept files.read', 'acceptTool'),
      { name: 'Tools', operation: 'listTools', locator: findRow(/files\.read/) },
    ],
  },
];

/** All addresses with actions of the web UI. */
export const ACTION_PAGES: readonly ActionPage[] = [...RUN_PAGES, ...APPROVAL_PAGES, ...MODEL_PAGES, ...SERVER_PAGES];
