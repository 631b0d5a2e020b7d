/** Where the window's own files come from: a scheme that no server answers and no other application has. */
export const APP_SCHEME = 'countersign-app';
export const APP_ORIGIN = `${APP_SCHEME}://inbox`;
export const APP_PAGE = `${APP_ORIGIN}/index.html`;

/** What other applications open this one by. */
export const LINK_SCHEME = 'countersign';
