module.exports = async (params) => params;
