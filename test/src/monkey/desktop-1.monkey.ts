import { planOfPart } from './monkey.spec.support.js';
import { describeMonkeyInElectron } from '../desktop/monkey.spec.support.js';

describeMonkeyInElectron(planOfPart(1));
