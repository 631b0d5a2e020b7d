/** Base address of the application without a trailing slash: the origin and the path at which the server is mounted. */
export const BASE_URL = new URL('.', document.baseURI).href.replace(/\/+$/, '');

/** Path part of the base address, in the router's format. */
export const BASE_PATH = new URL(document.baseURI).pathname.replace(/\/+$/, '') || '/';

/** Nonce for styles that the page adds at run time. */
export const STYLE_NONCE = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
