import { planForPart } from './monkey.spec.support.js';
import { describeMonkeyInElectron } from '../desktop/monkey.spec.support.js';

describeMonkeyInElectron(planForPart(2));
