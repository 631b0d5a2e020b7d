/** The address that everything is under, without a slash at the end: origin and, where the server is mounted, its path. */
export const BASE_URL = new URL('.', document.baseURI).href.replace(/\/+$/, '');

/** The path part of it, as the router wants it. */
export const BASE_PATH = new URL(document.baseURI).pathname.replace(/\/+$/, '') || '/';

/** The nonce of styles that this page may add to itself. */
export const STYLE_NONCE = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
