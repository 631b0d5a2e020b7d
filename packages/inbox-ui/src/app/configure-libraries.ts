import { setNonce } from 'get-nonce';
import { z } from 'zod';
import { STYLE_NONCE } from './base-url.js';

/*
 * Must be imported first. The page's content security policy forbids the libraries' defaults: zod compiles its checks
 * with `new Function`, and the scroll lock of dialogs adds an inline style.
 */
z.config({ jitless: true });
setNonce(STYLE_NONCE);
