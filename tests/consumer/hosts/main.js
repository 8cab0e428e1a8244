import { play } from './play.js';

play().then(console.log);
