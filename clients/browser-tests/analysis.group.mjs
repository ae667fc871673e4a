// The first one needs an empty lobby, and fills it.
import './starts.test.mjs';
import './analysis.test.mjs';
import './engine.test.mjs';
