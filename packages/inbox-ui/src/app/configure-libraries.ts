import { setNonce } from 'get-nonce';
import { z } from 'zod';
import { STYLE_NONCE } from './base-url.js';

/*
 * Imported before anything else. The policy of the page forbids what these libraries would try first: zod compiles its
 * checks by `new Function`, and what keeps the page from scrolling under a dialog adds a style of its own.
 */
z.config({ jitless: true });
setNonce(STYLE_NONCE);
