package check

// rules is every check, in the order in which it runs. The order shows
// nowhere: findings are sorted before anyone sees them.
var rules = []rule{}
