/** The part of the page for analysis, which is loaded after the first load. */
export { AnalysisPage } from './AnalysisPage.js';
