import { ApprovalsPage, QuestionsPage } from '@countersign/inbox-ui';
import { createMemoryRouter, Navigate, useRouteError } from 'react-router';
import { InboxWindow } from './inbox-window.js';

/** The pages of the inbox. Their addresses are shown nowhere, but hold what they show, as in the web UI. */
export function createInboxRouter() {
  return createMemoryRouter(
    [
      {
        path: '/',
        element: <InboxWindow />,
        errorElement: <PassOn />,
        children: [
          { path: 'approvals', element: <ApprovalsPage /> },
          { path: 'approvals/:approvalId', element: <ApprovalsPage /> },
          { path: 'questions', element: <QuestionsPage /> },
          { path: '*', element: <Navigate to="/approvals" replace /> },
        ],
      },
    ],
    { initialEntries: ['/approvals'] },
  );
}

/** The window says what went wrong, as everywhere outside the pages; the router's own notice is none for people. */
function PassOn(): never {
  throw useRouteError();
}
