import { describeMonkeyInBrowser } from '../web/monkey.spec.support.js';

describeMonkeyInBrowser(2);
