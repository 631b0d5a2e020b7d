import {
  button,
  click,
  dialog,
  mockComments,
  mockEmptyList,
  mockFailure,
  mockPdfEvidence,
  type View,
} from './view.spec.support.js';
import { PDF_WITH_MORE } from './pdf.spec.support.js';

const ROUTE = 'approvals/:approvalId';
const chooseMoreAction =
  (item: string): NonNullable<View['openView']> =>
  async (page) => {
    await button(page, 'More actions').click();
    await page.getByRole('menuitem', { name: item }).click();
  };

const ABSENCE = {
  subject: 'ada',
  substitute: 'bea',
  from: '2026-01-01T00:00:00.000Z',
  until: '2999-01-01T00:00:00.000Z',
  setAt: '2026-01-01T00:00:00.000Z',
  setBy: 'ada',
};

const openAbsence: NonNullable<View['openView']> = async (page) => {
  await page.getByRole('button', { name: /^\w+ · / }).click();
  await page.getByRole('menuitem', { name: 'Out of office' }).click();
};

function enterAbsenceUntil(localTime: string): NonNullable<View['openView']> {
  return async (page, ...others) => {
    await openAbsence(page, ...others);
    await page.getByLabel('Away until').fill(localTime);
  };
}

const LIST_VIEWS: readonly View[] = [
  {
    name: 'approvals',
    route: 'approvals',
    path: () => '/approvals',
    expected: (page) => page.getByRole('row', { name: /Approve the risky release/ }),
  },
  {
    name: 'approvals, as a viewer',
    route: 'approvals',
    path: () => '/approvals',
    viewer: 'viewer',
    expected: (page) => page.getByRole('row', { name: /Approve the risky release/ }),
  },
  {
    name: 'approvals: none',
    route: 'approvals',
    path: () => '/approvals',
    mockApi: mockEmptyList(/^(inbox|questions)$/),
    expected: (page) => page.getByText('Nothing is waiting for you.'),
  },
  {
    name: 'approvals: failed to load',
    route: 'approvals',
    path: () => '/approvals',
    mockApi: mockFailure(/^inbox$/),
    expected: (page) => page.getByRole('alert').first(),
  },
  {
    name: 'approvals: questions failed to load',
    route: 'approvals',
    path: () => '/approvals',
    mockApi: mockFailure(/^questions$/),
    expected: (page) => page.getByRole('grid').getByRole('alert'),
  },
  {
    name: 'approvals: filters',
    route: 'approvals',
    path: () => '/approvals?riskLevel=high&candidateGroup=treasury',
    openView: click('Filters'),
    expected: dialog('Filters'),
    opens: ['approvals/filter-button.tsx'],
  },
  {
    name: 'approvals: views',
    route: 'approvals',
    path: () => '/approvals?riskLevel=high&due=week',
    openView: click('Unsaved view'),
    expected: (page) => page.getByRole('menuitem', { name: 'Save view…' }),
  },
  {
    name: 'approvals: several selected',
    route: 'approvals',
    path: () => '/approvals',
    openView: async (page) => {
      const boxes = page.getByRole('row', { name: /Approve the release.*version: 1\.4\.0/ }).getByRole('checkbox');
      await boxes.nth(0).click();
      await boxes.nth(1).click();
      await button(page, 'Approve 2').click();
    },
    expected: dialog('Approve 2 requests together?'),
    opens: ['inbox/bulk-vote-dialog.tsx'],
  },
  {
    name: 'approvals: out of office',
    route: 'approvals',
    path: () => '/approvals',
    openView: openAbsence,
    expected: (page) => page.getByRole('dialog', { name: 'Out of office' }).getByLabel('Away until'),
    opens: ['people/names-dialog.tsx'],
  },
  {
    name: 'approvals: out of office until an hour that occurs twice',
    route: 'approvals',
    path: () => '/approvals',
    openView: enterAbsenceUntil('2099-10-25T02:30'),
    expected: (page) => page.getByRole('radio', { name: /^02:30 UTC\+02:00/ }),
  },
  {
    name: 'approvals: out of office until an hour that is skipped',
    route: 'approvals',
    path: () => '/approvals',
    openView: enterAbsenceUntil('2099-03-29T02:30'),
    expected: (page) => page.getByText(/02:30 does not exist/),
  },
  {
    name: 'approvals: as an absent user',
    route: 'approvals',
    path: () => '/approvals',
    mockApi: (page) => page.route('**/api/me/absence', (route) => route.fulfill({ json: { absence: ABSENCE } })),
    expected: (page) => page.getByRole('region', { name: 'Out of office' }).getByText('bea decides for you.'),
  },
];

/**
 * Keeps a vote pending by never responding: an accepted vote would close the approval that the next view needs, and a
 * refused vote would cover this view with a notice.
 */
const mockNoDecisionResponse: View['mockApi'] = (page) => page.context().route('**/decision', () => undefined);

const DETAIL_VIEWS: readonly View[] = [
  {
    name: 'an approval',
    route: ROUTE,
    path: ({ simple }) => `/approvals/${simple[0]?.approvalId ?? ''}`,
    expected: (page) => button(page, 'Approve'),
  },
  {
    name: 'an approval, as a viewer',
    route: ROUTE,
    path: ({ simple }) => `/approvals/${simple[0]?.approvalId ?? ''}`,
    viewer: 'viewer',
    expected: (page) => page.getByText('Your role can’t decide approvals.'),
  },
  {
    name: 'an approval: another round',
    route: ROUTE,
    path: ({ secondRound }) => `/approvals/${secondRound.approvalId}`,
    expected: (page) => page.getByRole('heading', { name: 'Since round 1' }),
  },
  {
    name: 'an approval by two users',
    route: ROUTE,
    path: ({ quorum }) => `/approvals/${quorum.approvalId}`,
    expected: (page) => page.getByText(/2 approvals are missing/).first(),
  },
  {
    name: 'an approval of a tool call',
    route: ROUTE,
    path: ({ call }) => `/approvals/${call.approvalId}`,
    expected: (page) => page.getByText(/Call note .*with text:/).first(),
  },
  {
    name: 'an approval: its evidence',
    route: ROUTE,
    path: ({ risky }) => `/approvals/${risky.approvalId}`,
    openView: click('Open notes.md'),
    expected: (page) => page.getByText('Opened', { exact: true }),
  },
  {
    name: 'an approval: a PDF as evidence',
    route: ROUTE,
    path: ({ risky }) => `/approvals/${risky.approvalId}`,
    mockApi: mockPdfEvidence(PDF_WITH_MORE),
    openView: click('Open notes.md'),
    expected: (page) => page.getByRole('group', { name: 'Page 1 of 1' }).getByText('Shown text'),
  },
  {
    name: 'an approval: a damaged PDF as evidence',
    route: ROUTE,
    path: ({ risky }) => `/approvals/${risky.approvalId}`,
    mockApi: mockPdfEvidence(PDF_WITH_MORE.slice(0, 100)),
    openView: click('Open notes.md'),
    expected: (page) => page.getByText(/^This PDF is damaged/),
  },
  {
    name: 'an approval: the comment on a vote',
    route: ROUTE,
    path: ({ simple }) => `/approvals/${simple[0]?.approvalId ?? ''}`,
    openView: click('Request changes'),
    expected: (page) => page.getByRole('form', { name: 'Request changes' }),
  },
  {
    name: 'an approval: the confirmation of a high risk',
    route: ROUTE,
    path: ({ risky }) => `/approvals/${risky.approvalId}`,
    openView: async (page) => {
      await button(page, 'Open notes.md').click();
      await page.getByText('Opened', { exact: true }).waitFor();
      await button(page, 'Approve').click();
      await page.getByRole('form').getByRole('button', { name: 'Approve' }).click();
    },
    expected: dialog('High risk: approve this request?'),
    opens: ['inbox/vote-confirm-dialog.tsx', 'inbox/decision-form.tsx'],
  },
  {
    name: 'an approval: comments, with the form for a reply',
    route: ROUTE,
    path: ({ call }) => `/approvals/${call.approvalId}`,
    mockApi: mockComments,
    openView: (page) => button(page, 'Reply').first().click(),
    expected: (page) => page.getByRole('textbox', { name: 'Reply to this comment' }),
  },
  {
    name: 'an approval: comments failed to load',
    route: ROUTE,
    path: ({ call }) => `/approvals/${call.approvalId}`,
    mockApi: mockFailure(/\/comments$/),
    expected: (page) => page.getByRole('region', { name: 'Discussion' }).getByRole('alert'),
  },
  {
    name: 'an approval: more actions',
    route: ROUTE,
    path: ({ call }) => `/approvals/${call.approvalId}`,
    openView: click('More actions'),
    expected: (page) => page.getByRole('menuitem', { name: 'Reassign' }),
    opens: ['inbox/decision-actions.tsx'],
  },
  {
    name: 'an approval: editing the arguments',
    route: ROUTE,
    path: ({ call }) => `/approvals/${call.approvalId}`,
    openView: chooseMoreAction('Edit arguments'),
    expected: (page) => page.getByRole('form', { name: 'Edit arguments' }),
  },
  {
    name: 'an approval: delegating',
    route: ROUTE,
    path: ({ call }) => `/approvals/${call.approvalId}`,
    openView: chooseMoreAction('Delegate'),
    expected: dialog('Delegate this approval'),
    opens: ['people/names-dialog.tsx'],
  },
  {
    name: 'an approval: reassigning',
    route: ROUTE,
    path: ({ call }) => `/approvals/${call.approvalId}`,
    openView: chooseMoreAction('Reassign'),
    expected: dialog('Reassign this approval'),
  },
  {
    name: 'an approval: a vote in the undo window',
    route: ROUTE,
    path: ({ simple }) => `/approvals/${simple[1]?.approvalId ?? ''}`,
    needsOwnWindow: true,
    mockApi: mockNoDecisionResponse,
    openView: async (page) => {
      await button(page, 'Reject').click();
      await page.getByRole('form').getByRole('button', { name: 'Reject' }).click();
    },
    expected: (page) => page.getByText(/^Rejecting “Approve the release”/).first(),
  },
  {
    name: 'an approval: signing out with a pending vote',
    route: ROUTE,
    path: ({ simple }) => `/approvals/${simple[1]?.approvalId ?? ''}`,
    needsOwnWindow: true,
    mockApi: mockNoDecisionResponse,
    openView: async (page) => {
      await button(page, 'Reject').click();
      await page.getByRole('form').getByRole('button', { name: 'Reject' }).click();
      await page
        .getByText(/^Rejecting “Approve the release”/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: /^\w+ · / }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    },
    expected: dialog('Decisions are being sent'),
    opens: ['approvals/leave-dialog.tsx'],
  },
  {
    name: 'an approval: signing out with a vote that has no response yet',
    route: ROUTE,
    path: ({ simple }) => `/approvals/${simple[1]?.approvalId ?? ''}`,
    needsOwnWindow: true,
    mockApi: mockNoDecisionResponse,
    openView: async (page) => {
      await button(page, 'Reject').click();
      await page.getByRole('form').getByRole('button', { name: 'Reject' }).click();
      await page.getByText('Rejecting “Approve the release”: sending…').waitFor();
      await page.getByRole('button', { name: /^\w+ · / }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    },
    expected: dialog('Decisions are being sent'),
  },
  {
    name: 'a nonexistent approval',
    route: ROUTE,
    path: () => '/approvals/01890000-0000-7000-8000-000000000000',
    expected: (page) => page.getByText('Approval not found'),
  },
];

const QUESTION_VIEWS: readonly View[] = [
  {
    name: 'questions',
    route: 'questions',
    path: () => '/questions',
    expected: (page) => page.getByRole('row', { name: /Whose is it/ }),
  },
  {
    name: 'questions: one question',
    route: 'questions',
    path: ({ questionId }) => `/questions?question=${questionId}`,
    expected: (page) => button(page, 'Send answer'),
  },
  {
    name: 'questions: one question, as a viewer',
    route: 'questions',
    path: ({ questionId }) => `/questions?question=${questionId}`,
    viewer: 'viewer',
    expected: (page) => page.getByText('Only operators can answer questions.'),
  },
  {
    name: 'questions: an invalid answer',
    route: 'questions',
    path: ({ questionId }) => `/questions?question=${questionId}`,
    openView: click('Send answer'),
    expected: (page) => page.getByRole('alert').first(),
  },
  {
    name: 'questions: none',
    route: 'questions',
    path: () => '/questions',
    mockApi: mockEmptyList(/^questions$/),
    expected: (page) => page.getByText('No open questions'),
  },
  {
    name: 'questions: failed to load',
    route: 'questions',
    path: () => '/questions',
    mockApi: mockFailure(/^questions$/),
    expected: (page) => page.getByRole('alert'),
  },
];

const INBOX_QUESTION_ROUTE = 'approvals/questions/:questionId';

const INBOX_QUESTION_VIEWS: readonly View[] = [
  {
    name: 'a question in the inbox',
    route: INBOX_QUESTION_ROUTE,
    path: ({ questionId }) => `/approvals/questions/${questionId}`,
    expected: (page) => button(page, 'Send answer'),
  },
  {
    name: 'a question in the inbox, as a viewer',
    route: INBOX_QUESTION_ROUTE,
    path: ({ questionId }) => `/approvals/questions/${questionId}`,
    viewer: 'viewer',
    expected: (page) => page.getByText('Only operators can answer questions.'),
  },
  {
    name: 'a nonexistent question',
    route: INBOX_QUESTION_ROUTE,
    path: () => '/approvals/questions/01890000-0000-7000-8000-000000000000',
    expected: (page) => page.getByText('Question not found'),
  },
];

export const APPROVAL_VIEWS: readonly View[] = [
  ...LIST_VIEWS,
  ...DETAIL_VIEWS,
  ...QUESTION_VIEWS,
  ...INBOX_QUESTION_VIEWS,
];
