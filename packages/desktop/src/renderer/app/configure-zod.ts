import { z } from 'zod';

/*
 * Must be imported before any schema: zod compiles its checks with `new Function`, which the content security policy of
 * the window forbids.
 */
z.config({ jitless: true });
