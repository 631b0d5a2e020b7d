/** Origin scheme of the window's own files: no server answers it, and no other application uses it. */
export const APP_SCHEME = 'countersign-app';
export const APP_ORIGIN = `${APP_SCHEME}://inbox`;
export const APP_PAGE = `${APP_ORIGIN}/index.html`;

/** Scheme of links with which other applications open this one. */
export const LINK_SCHEME = 'countersign';
