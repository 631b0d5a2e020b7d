import { button, click, dialog, mockFailure, type PopulatedData, type View } from './view.spec.support.js';

const reviewedRunPath =
  (query = '') =>
  ({ reviewing: { runId } }: PopulatedData): string =>
    `/runs/${runId}${query}`;
const workStepPath = ({ reviewing: { runId, steps } }: PopulatedData): string =>
  `/runs/${runId}?step=${steps.find(({ elementId }) => elementId === 'work')?.stepId ?? ''}`;
const ROUTE = 'runs/:runId';

export const RUN_DETAIL_VIEWS: readonly View[] = [
  {
    name: 'a run',
    route: ROUTE,
    path: reviewedRunPath(),
    expected: (page) => page.locator('.cs-diagram[data-ready="true"]'),
  },
  {
    name: 'a failed run',
    route: ROUTE,
    path: ({ failed }) => `/runs/${failed.runId}`,
    expected: (page) => page.getByText('“Charge the card” failed: The card was declined.'),
  },
  {
    name: 'a run, as a viewer',
    route: ROUTE,
    path: ({ failed }) => `/runs/${failed.runId}`,
    viewer: 'viewer',
    expected: (page) => page.getByText('“Charge the card” failed: The card was declined.'),
  },
  {
    name: 'a run: a step',
    route: ROUTE,
    path: workStepPath,
    expected: (page) => dialog('Step Research the ticket')(page).getByText('3 turns, 2 tool calls'),
  },
  {
    name: 'a run: a tool call of its agent',
    route: ROUTE,
    path: workStepPath,
    openView: click('look Called'),
    expected: (page) => page.getByRole('tree', { name: 'Arguments' }),
  },
  {
    name: 'a run: a failed step',
    route: ROUTE,
    path: ({ failed: { runId, steps } }) => `/runs/${runId}?step=${steps.at(-1)?.stepId ?? ''}`,
    expected: dialog('Step Charge the card'),
  },
  {
    name: 'a run: no matching step',
    route: ROUTE,
    path: reviewedRunPath(),
    openView: (page) => page.getByRole('textbox', { name: 'Find a step' }).fill('no such step'),
    expected: (page) => page.getByText('No matching steps.'),
  },
  {
    name: 'a run: another moment',
    route: ROUTE,
    path: reviewedRunPath('?at=9'),
    expected: (page) => page.getByText(/^Event 9 of/),
  },
  {
    name: 'a run: approvals',
    route: ROUTE,
    path: reviewedRunPath('?tab=approvals'),
    expected: (page) => page.getByRole('article', { name: 'Publish the report, Round 1' }),
  },
  {
    name: 'a run: no approvals',
    route: ROUTE,
    path: ({ message }) => `/runs/${message.runId}?tab=approvals`,
    expected: (page) => page.getByText('No approvals in this run'),
  },
  {
    name: 'a run: conversation',
    route: ROUTE,
    path: reviewedRunPath('?tab=conversation'),
    expected: (page) => page.getByText('Answered').first(),
  },
  {
    name: 'a run: a question',
    route: ROUTE,
    path: ({ asking }) => `/runs/${asking.runId}?tab=conversation`,
    expected: (page) => page.getByRole('combobox', { name: 'Team' }),
  },
  {
    name: 'a run: artifacts',
    route: ROUTE,
    path: reviewedRunPath('?tab=artifacts'),
    expected: (page) => page.getByRole('row', { name: /report\.md/ }),
  },
  {
    name: 'a run: an artifact',
    route: ROUTE,
    path: reviewedRunPath('?tab=artifacts&artifact=report.md'),
    expected: (page) => page.getByRole('region', { name: 'report.md' }).getByRole('heading', { name: 'Findings' }),
  },
  {
    name: 'a run: no artifacts',
    route: ROUTE,
    path: ({ message }) => `/runs/${message.runId}?tab=artifacts`,
    expected: (page) => page.getByText('This run has no artifacts'),
  },
  {
    name: 'a run: variables',
    route: ROUTE,
    path: reviewedRunPath('?tab=variables'),
    expected: (page) => page.getByRole('tabpanel', { name: 'Variables' }).getByRole('heading', { name: 'Inputs' }),
  },
  {
    name: 'a run: events',
    route: ROUTE,
    path: reviewedRunPath('?tab=events'),
    expected: (page) => page.getByRole('listbox', { name: 'Events of the run' }).getByRole('option').first(),
  },
  {
    name: 'a run: an event',
    route: ROUTE,
    path: reviewedRunPath('?tab=events&seq=4'),
    expected: (page) => page.getByRole('region', { name: 'Event 4' }),
  },
  {
    name: 'a run: events as a table',
    route: ROUTE,
    path: reviewedRunPath('?tab=events&view=list&kind=approval'),
    expected: (page) => page.getByRole('grid', { name: 'Events of the run' }),
  },
  {
    name: 'a run: events as JSON',
    route: ROUTE,
    path: reviewedRunPath('?tab=events&view=json'),
    expected: (page) => page.getByRole('tree', { name: 'Events of the run' }),
  },
  {
    name: 'a run: evidence',
    route: ROUTE,
    path: reviewedRunPath('?tab=evidence'),
    expected: (page) => page.getByText('Complete and unchanged'),
  },
  {
    name: 'a run: evidence that is not valid',
    route: ROUTE,
    path: reviewedRunPath('?tab=evidence'),
    mockApi: (page) => page.route(/\/evidence-pack\/download$/, (route) => route.fulfill({ json: {} })),
    expected: (page) => page.getByRole('status').filter({ hasText: 'Not valid' }),
  },
  {
    name: 'a run: child runs',
    route: ROUTE,
    path: ({ calling }) => `/runs/${calling.runId}?tab=children`,
    expected: (page) => page.getByRole('row', { name: /web-approval/ }),
  },
  {
    name: 'a run: no child runs',
    route: ROUTE,
    path: reviewedRunPath('?tab=children'),
    expected: (page) => page.getByText('No child runs'),
  },
  {
    name: 'a run: the plan of a cancellation',
    route: ROUTE,
    path: ({ timerRun }) => `/runs/${timerRun.runId}`,
    openView: click('Cancel run…'),
    expected: (page) => dialog('Cancel run')(page).getByText('Cool down (timer)'),
    opens: ['run/actions/cancel-dialog.tsx'],
  },
  {
    name: 'a run: the plan of a recovery',
    route: ROUTE,
    path: ({ failed }) => `/runs/${failed.runId}`,
    openView: click('Recover run…'),
    expected: (page) => dialog('Recover run')(page).getByRole('heading', { name: 'Retried' }),
    opens: ['run/actions/recover-dialog.tsx'],
  },
  {
    name: 'a run: the plan of a migration',
    route: ROUTE,
    path: ({ message }) => `/runs/${message.runId}`,
    openView: click('Move to version 2…'),
    expected: (page) => dialog('Move run to version 2')(page).getByText(/From version 1/),
    opens: ['run/actions/migrate-dialog.tsx'],
  },
  {
    name: 'a run: help for sending its message',
    route: ROUTE,
    path: ({ message }) => `/runs/${message.runId}`,
    openView: click('How to send it'),
    expected: dialog('How to send order.paid'),
    opens: ['run/waiting/message-instructions.tsx'],
  },
  {
    name: 'a run: the notice after an action',
    route: ROUTE,
    path: reviewedRunPath('?tab=artifacts'),
    openView: async (page) => {
      const chooser = page.waitForEvent('filechooser');
      await button(page, 'Upload files').click();
      await (await chooser).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('one') });
    },
    expected: (page) => page.getByText(/notes\.txt was stored as version/),
  },
  {
    name: 'a nonexistent run',
    route: ROUTE,
    path: () => '/runs/01890000-0000-7000-8000-000000000000',
    expected: (page) => page.getByText('Run not found'),
  },
  {
    name: 'a run: failed to load',
    route: ROUTE,
    path: reviewedRunPath(),
    mockApi: mockFailure(/^runs\/[^/]+$/),
    expected: (page) => page.getByRole('alert'),
  },
];
