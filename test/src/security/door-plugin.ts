import { createDoor } from '../settings/door.spec.support.js';

/**
 * Plugin with secrets in a list, in a map and on their own. The `countersign` command loads it by the path of this
 * file.
 */
export const doorPlugin = createDoor('test').plugin;
