import { setNonce } from 'get-nonce';
import { STYLE_NONCE } from './base-url.js';

/*
 * Must be imported first. The scroll lock of dialogs adds an inline style, which the page's content security policy
 * allows only with this nonce.
 */
setNonce(STYLE_NONCE);
