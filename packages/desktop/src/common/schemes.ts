/** Scheme of the origin of the window's own files. No server or other application uses it. */
export const APP_SCHEME = 'countersign-app';
export const APP_ORIGIN = `${APP_SCHEME}://inbox`;
export const APP_PAGE = `${APP_ORIGIN}/index.html`;

/** Scheme of links that other applications use to open this application. */
export const LINK_SCHEME = 'countersign';
